#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "realtime/arming.hpp"
#include "realtime/operator.hpp"
#include "realtime/row_sink.hpp"
#include "realtime/run_loop.hpp"
#include "session/open.hpp"
#include "session/socket_server.hpp"

namespace gusset {

struct SessionOptions {
  std::string rig = "local:";  ///< URL of the rig
  std::string out;             ///< the run file; without one there is no test
  std::string key;             ///< shared with the rig; empty: frames are not signed
  bool force = false;          ///< overwrite an existing run file
  bool lockstep = false;       ///< without a clock, as fast as the rig answers
  bool durable = false;        ///< the recording survives a power cut
  bool allow_degraded = false;
  bool force_unstable = false;
  std::vector<std::string> faults;  ///< to be played on the link, beside those of the file
  /// Asked where the rig is real, before anything is made ready: whether an operator arms it. Without one
  /// nobody does. May throw InputError.
  std::function<bool(const Test&, const std::string& checklist)> operator_arms;
  std::string socket;          ///< where others may attach; empty: OUT.socket
  Clock* clock = nullptr;      ///< instead of the machine's, for tests: a virtual one
  std::unique_ptr<Link> link;  ///< instead of the one that `rig` names
};

/// What came of a test.
struct SessionResult {
  std::string title;
  std::string rig;
  std::vector<Channel> channels;
  Arming arming;
  LoopResult loop;
  std::vector<std::pair<std::string, double>> summary;
  std::string trouble;                   ///< of the recorder; empty: everything is recorded
  std::optional<InputError> unfinished;  ///< the raw recording is there, the run file is not
  std::vector<LoggedCommand> commands;
  std::string out;
  bool kept = false;  ///< there is a run file

  /// Kept, complete, and nothing tripped.
  bool success() const;
};

/// Runs one test: rig, clock, recorder, loop thread, arming, the socket of those who attach, and the run file
/// at the end. In this order, from one thread:
///
///   Session session(open_experiment(…), options);   // checks, rehearses, calls the rig, opens the recording
///   if (session.arm().granted()) session.start();   // readies machine and loop; then moves
///   while (session.running()) …                     // status(), operators() meanwhile
///   SessionResult result = session.finish();
///
/// The calling thread, and the recorder's, are kept off the loop's core.
class Session {
 public:
  /// Throws InputError, and then nothing is left behind.
  Session(Loaded loaded, SessionOptions options);
  /// A test that still runs is stopped at once; a recording that was not finished stays as PATH.raw.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Shows the sink every row and event, from the loop's thread: it must not wait. Before arm().
  void attach(RowSink& sink);
  /// Starts the loop's thread, makes it fit, and examines everything that must hold before anything moves.
  const Arming& arm();
  /// The test begins. Only where arming was granted.
  void start();
  bool running() const;
  /// Until the test is over.
  void wait();
  /// Ends the recording: the run file, or nothing where no test was armed.
  SessionResult finish();

  Operator& operators();
  const LoopStatus& status() const;
  const Test& test() const;
  const RunStreams& streams() const;
  /// Where others attach; empty if they cannot.
  std::string socket() const;
  /// Why they cannot, in words; empty if they can. A test goes on without.
  const std::string& socket_trouble() const;

 private:
  class Running;
  std::unique_ptr<Running> running_;
};

}  // namespace gusset
