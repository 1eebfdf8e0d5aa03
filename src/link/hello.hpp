#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "document/document.hpp"

namespace gusset {

class Experiment;

/// What one end says of itself before anything moves. As text, one fact a line, so that a laboratory
/// can write it by hand:
///
///   gusset-link 1                        protocol
///   version 0.1.0                        of Gusset
///   period 1000000                       between commands [ns]
///   mode paced | lockstep
///   rig virtual | hardware               what the rig is; the loop does not say
///   command NAME UNIT                    one a number of a command, in order
///   feedback NAME UNIT                   one a number of an answer, in order
///   experiment HASH                      SHA-256 of every key below
///   key NAME HASH                        the first 16 digits of that of each key of the file
///
/// A fact that one end leaves out is not compared: a controller that has no experiment file gives no
/// hash.
struct Hello {
  int protocol = 1;
  std::string version;
  std::int64_t period = 0;
  std::string mode = "paced";
  std::string rig;
  std::vector<std::pair<std::string, std::string>> commands, feedback;  ///< name, unit
  std::string experiment;
  std::vector<std::pair<std::string, std::string>> keys;

  /// Knows of no channels yet: it asks what the rig has, and moves nothing.
  bool only_asks() const { return commands.empty() && feedback.empty(); }

  std::string text() const;
  /// Throws std::invalid_argument with what is wrong; no text is dangerous.
  static Hello parse(std::string_view text);
};

/// Longest hello accepted [bytes]; keys that do not fit are left out, the hash stays.
inline constexpr std::size_t largest_hello = 48 * 1024;

/// What the loop and the virtual rig of this experiment say. Throws InputError if the test has no rig that
/// could be elsewhere.
Hello hello_of(const Document& document, const Experiment& experiment, bool lockstep);

/// Empty if both can work together, else what differs, in words for people. `own` and `other` name the
/// two ends.
std::string difference(const Hello& a, const Hello& b, const std::string& own, const std::string& other);

}  // namespace gusset
