#include "session/session.hpp"

#include <pthread.h>

#include <csignal>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "link/local.hpp"
#include "realtime/fan_out.hpp"
#include "realtime/faulty_link.hpp"
#include "realtime/recorder_sink.hpp"
#include "runs/atomic_file.hpp"
#include "session/checklist.hpp"
#include "session/run_record.hpp"

namespace gusset {
namespace {

void require_runnable(const Loaded& loaded, const SessionOptions& options) {
  if (options.out.empty()) {
    throw InputError({"--out", 0, 0}, "nothing would record the test, so it cannot be armed",
                     "add --out run.h5");
  }
  require_writable(options.out, options.force);
  if (!options.lockstep && !(loaded.experiment().rig_dt() >= 1e-6)) {
    throw InputError({loaded.document.name(), 0, 0}, "no machine keeps a rig's step below 1 us",
                     "lengthen rig.dt, or rehearse with gusset simulate");
  }
}

std::unique_ptr<Link> call_rig(const Loaded& loaded, const SessionOptions& options, const Url& url,
                               const Hello& hello) {
  if (url.scheme == "local") return std::make_unique<LocalLink>(loaded.test, hello);
  if (url.scheme == "memory") return connect_memory(url, hello, loaded.realtime.memory);
  LinkOptions link;
  link.key = options.key;
  return connect_link(url, hello, link);
}

}  // namespace

bool SessionResult::success() const {
  return kept && loop.completed && loop.first_out == Cause::none && trouble.empty();
}

class Session::Running {
 public:
  Running(Loaded loaded, SessionOptions options)
      : loaded_(std::move(loaded)), options_(std::move(options)), url_(parse_url(options_.rig, "--rig")) {
    require_runnable(loaded_, options_);
    read_faults();
    // Before anybody waits for us, and before there is a recording that a refusal would leave behind.
    rehearsal_ = review(loaded_.test, loaded_.realtime);
    connect();
    const std::string checklist = pretest_checklist(loaded_.test, rehearsal_, loaded_.realtime);
    arming_options_.operator_arms =
        !how_.hardware || (options_.operator_arms && options_.operator_arms(loaded_.test, checklist));
    streams_ = run_streams(loaded_.test);
    open_socket();
    if (realtime()) {
      readiness_ = examine();
      process_.emplace();
      keep_off(core());  // this thread and the recorder's: only the loop belongs there
      grants_ = process_->grants();
    }
    RecordingPlan plan = plan_of(loaded_, options_);
    if (realtime()) plan.texts.emplace_back("readiness", readiness_.to_json());
    if (how_.hardware) plan.texts.emplace_back("checklist", checklist);
    recorder_.emplace(
        RecorderOptions{.path = options_.out, .force = options_.force, .durable = options_.durable}, plan);
    sink_.emplace(*recorder_);
    rows_.emplace(*sink_);
    loop_.emplace(loaded_.test, *link_, clock(), *rows_, how_);
    if (socket_) offer();
  }

  ~Running() {
    socket_.reset();  // its thread looks at the loop and the shared memory
    if (!thread_.joinable()) {
      if (recorder_ && stage_.load() == preparing) recorder_->discard();
      return;
    }
    operators_.ask_stop(true);
    leave();
    if (!arming_.granted()) recorder_->discard();
  }

  const Arming& arm() {
    if (thread_.joinable()) throw std::logic_error("a session is armed once");
    thread_ = std::thread([this] { work(); });
    stage_.wait(preparing);
    arming_ = examine_arming(experiment(), rehearsal_, loop_->limits(), readiness_, grants_, arming_options_);
    return arming_;
  }

  void start() {
    if (stage_.load() != prepared || !arming_.granted()) throw std::logic_error("the session is not armed");
    stage_.store(going);
    stage_.notify_all();
  }

  bool running() const { return stage_.load() == going; }
  void wait() { stage_.wait(going); }

  SessionResult finish() {
    if (!thread_.joinable()) throw std::logic_error("the session was not armed, or is finished");
    leave();
    SessionResult result;
    if (socket_) {
      socket_->stop();
      result.commands = socket_->commands();
      socket_.reset();
    }
    result.title = experiment().title();
    result.rig = url_.text;
    result.channels = experiment().channels();
    result.arming = arming_;
    result.loop = loop_->finish();
    link_->close();
    process_.reset();
    result.trouble = recorder_->trouble();
    result.out = options_.out;
    if (!arming_.granted()) {
      recorder_->discard();
      return result;
    }
    try {
      recorder_->finish(closing_of(result), [&](Run& run) {
        complete(loaded_.test, loaded_.realtime, run);
        result.summary = run.summary;
      });
      result.kept = true;
    } catch (const InputError& error) {
      result.unfinished.emplace(error);
    }
    return result;
  }

  Loaded loaded_;
  SessionOptions options_;
  Operator operators_;
  std::optional<RecorderSink> sink_;
  std::optional<FanOut> rows_;
  std::optional<RunLoop> loop_;
  RunStreams streams_;
  std::optional<SocketServer> socket_;
  std::string socket_trouble_;

 private:
  enum Stage : int { preparing, prepared, going, leaving, done };

  const Experiment& experiment() const { return loaded_.experiment(); }
  /// On the clock of this machine.
  bool realtime() const { return !options_.lockstep && options_.clock == nullptr; }
  Clock& clock() {
    if (options_.clock != nullptr) return *options_.clock;
    return options_.lockstep ? static_cast<Clock&>(virtual_clock_) : real_clock_;
  }
  int core() const { return loaded_.realtime.core >= 0 ? loaded_.realtime.core : suggested_core(); }

  void connect() {
    const Hello hello = hello_of(loaded_.document, experiment(), options_.lockstep);
    link_ = options_.link ? std::move(options_.link) : call_rig(loaded_, options_, url_, hello);
    if (!loaded_.realtime.faults.empty()) {
      sound_ = std::move(link_);
      Clock& time = options_.clock != nullptr ? *options_.clock : static_cast<Clock&>(real_clock_);
      link_ = std::make_unique<FaultyLink>(*sound_, loaded_.realtime.faults, time, hello.feedback.size(),
                                           experiment().rig_dt());
    }
    how_.settings = loaded_.realtime;
    // What does not say that it is virtual is taken for something that can break.
    how_.hardware = link_->peer().rig != "virtual";
    how_.lockstep = options_.lockstep;
    how_.on_miss = policy_with(how_.hardware, loaded_.realtime.on_miss);
    arming_options_.hardware = how_.hardware;
    arming_options_.lockstep = options_.lockstep;
    arming_options_.allow_degraded = options_.allow_degraded;
    arming_options_.force_unstable = options_.force_unstable;
    arming_options_.on_miss = loaded_.realtime.on_miss;
  }

  /// Those of the file and those asked for: a rig that is real refuses the first.
  void read_faults() {
    for (const Fault& fault : loaded_.realtime.faults) {
      arming_options_.faults.emplace_back(name_of(fault.kind));
    }
    arming_options_.asked_faults = options_.faults;
    for (const std::string& fault : options_.faults) loaded_.realtime.faults.push_back(parse_fault(fault));
  }

  /// A place that was not asked for may be none; a test is not refused for that.
  void open_socket() {
    try {
      socket_.emplace(options_.socket.empty() ? options_.out + ".socket" : options_.socket);
      block_.emplace(streams_);
    } catch (const InputError& error) {
      if (!options_.socket.empty()) throw;
      socket_trouble_ = error.cause();
    } catch (const std::system_error& error) {
      socket_.reset();
      socket_trouble_ = error.what();
    }
  }

  void offer() {
    try {
      socket_->serve({&*block_, &loop_->status(), &operators_, experiment().title(), options_.out,
                      live_signals(streams_), experiment().dt(), experiment().rig_dt(),
                      loaded_.test.duration});
      rows_->attach(*block_);
    } catch (const std::system_error& error) {  // no thread to be had
      socket_.reset();
      socket_trouble_ = error.what();
    }
  }

  /// The loop's thread.
  void work() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    if (realtime()) {
      for (Grant& grant : make_realtime({loaded_.realtime.priority, core()})) grants_.push_back(grant);
      loop_->warm_up();
    }
    stage_.store(prepared);
    stage_.notify_all();
    stage_.wait(prepared);
    if (stage_.load() == going) loop_->run(operators_);
    stage_.store(done);
    stage_.notify_all();
  }

  void leave() {
    int now = prepared;
    if (stage_.compare_exchange_strong(now, leaving)) stage_.notify_all();
    thread_.join();
  }

  Url url_;
  Review rehearsal_;
  std::optional<LiveBlock> block_;
  std::unique_ptr<Link> sound_;  ///< what is behind the faults
  std::unique_ptr<Link> link_;
  LoopOptions how_;
  RealClock real_clock_;
  VirtualClock virtual_clock_;
  Readiness readiness_;
  std::optional<RealtimeProcess> process_;
  std::optional<Recorder> recorder_;
  std::vector<Grant> grants_;
  ArmingOptions arming_options_;
  Arming arming_;
  std::atomic<int> stage_{preparing};
  std::thread thread_;
};

Session::Session(Loaded loaded, SessionOptions options)
    : running_(std::make_unique<Running>(std::move(loaded), std::move(options))) {}
Session::~Session() = default;

void Session::attach(RowSink& sink) { running_->rows_->attach(sink); }
const Arming& Session::arm() { return running_->arm(); }
void Session::start() { running_->start(); }
bool Session::running() const { return running_->running(); }
void Session::wait() { running_->wait(); }
SessionResult Session::finish() { return running_->finish(); }
Operator& Session::operators() { return running_->operators_; }
const LoopStatus& Session::status() const { return running_->loop_->status(); }
const Test& Session::test() const { return running_->loaded_.test; }
const RunStreams& Session::streams() const { return running_->streams_; }
std::string Session::socket() const { return running_->socket_ ? running_->socket_->path() : std::string(); }
const std::string& Session::socket_trouble() const { return running_->socket_trouble_; }

}  // namespace gusset
