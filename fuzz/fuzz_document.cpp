// Any bytes are an experiment file or an InputError; so is anything after --set. What was parsed is
// read in every way there is.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "document/document.hpp"

namespace {

template <typename Action>
void allow_input_error(Action action) {
  try {
    action();
  } catch (const gusset::InputError& error) {
    if (error.cause().empty() || error.fix().empty()) std::abort();
  }
}

void read_everything(const gusset::Section& section) {
  for (const gusset::Entry& entry : section.entries) {
    const std::string& key = entry.key;
    for (const double number : entry.value.numbers) {
      if (!std::isfinite(number)) std::abort();
    }
    allow_input_error([&] {
      if (!std::isfinite(section.number(key, gusset::dim::mass))) std::abort();
    });
    allow_input_error([&] { section.positive(key, gusset::dim::none); });
    allow_input_error([&] { section.maybe(key, gusset::dim::frequency); });
    allow_input_error([&] { section.integer(key, 1, 0, 10); });
    allow_input_error([&] { section.flag(key, false); });
    allow_input_error([&] { section.text(key); });
    allow_input_error([&] { section.choice(key, {"mass", "oscillator"}); });
    allow_input_error([&] { section.list(key, gusset::dim::length); });
    allow_input_error([&] { section.integers(key, 1); });
    allow_input_error([&] {
      std::size_t columns = 0;
      section.matrix(key, gusset::dim::none, columns);
    });
    allow_input_error([&] { section.number(key + "x", gusset::dim::time); });
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // The first line is an assignment, the rest the file.
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view assignment = text.substr(0, end);
  allow_input_error([&] {
    gusset::Document document = gusset::Document::parse(text.substr(end), "fuzz.toml");
    allow_input_error([&] { document.reject_unknown(); });
    allow_input_error([&] { document.set(assignment); });
    allow_input_error([&] { document.reject_unknown(); });
    const gusset::Document copy = document;
    for (const char* path : {"", "structure", "specimen", "specimen.1", "rig"}) {
      read_everything(copy.section(path));
      for (const gusset::Section* section : copy.sections(path)) read_everything(*section);
    }
    allow_input_error([&] { copy.reject_unknown(); });
    allow_input_error([&] { document.set_number("structure.mass", 1, gusset::dim::mass); });
  });
  return 0;
}
