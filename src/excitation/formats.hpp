#pragma once

#include "excitation/record_formats.hpp"

namespace gusset {

extern const RecordFormat peer_at2_format;
extern const RecordFormat cosmos_format;
extern const RecordFormat csmip_format;
extern const RecordFormat knet_format;
extern const RecordFormat esm_format;
extern const RecordFormat plain_format;
extern const RecordFormat csv_format;

}  // namespace gusset
