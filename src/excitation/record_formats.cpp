#include "excitation/record_formats.hpp"

#include "base/units.hpp"
#include "excitation/formats.hpp"
#include "excitation/record_text.hpp"

namespace gusset {

const std::vector<const RecordFormat*>& record_formats() {
  // The order is that of asking: CSV takes what nobody else wants, to say what is wrong with it.
  static const std::vector<const RecordFormat*> formats{
      &peer_at2_format, &cosmos_format, &csmip_format, &knet_format, &esm_format, &plain_format, &csv_format,
  };
  return formats;
}

Record parse_record(std::string_view text, const std::string& name, const RecordHints& hints) {
  for (const RecordFormat* format : record_formats()) {
    if (!format->matches(text)) continue;
    Record record = format->parse(text, name, hints);
    record.name = name;
    record.format = format->name;
    return record;
  }
  return {};
}

double acceleration_unit(std::string_view spelling) {
  std::string text = upper(trimmed(spelling));
  while (text.ends_with('.') || text.ends_with(',')) text.pop_back();
  if (text == "G" || text == "GRAVITY" || text == "G'S" || text == "GS") return 9.80665;
  if (text == "GAL" || text == "GALS") return 0.01;
  for (const auto& [name, factor] : {std::pair("CM/S", 0.01), std::pair("MM/S", 0.001), std::pair("M/S", 1.0),
                                     std::pair("IN/S", 0.0254)}) {
    const std::string start(name);
    if (!text.starts_with(start)) continue;
    const std::string rest = text.substr(start.size());
    for (const char* end : {"2", "^2", "**2", "EC2", "EC^2", "EC**2", "/S", "EC/SEC", "QR", "²"}) {
      if (rest == end) return factor;
    }
  }
  try {
    const Quantity unit = parse_unit(trimmed(spelling));
    if (unit.dimension == dim::acceleration) return unit.value;
  } catch (const UnitError&) {
    return 0;
  }
  return 0;
}

}  // namespace gusset
