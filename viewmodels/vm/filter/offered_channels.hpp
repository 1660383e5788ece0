#pragma once

#include "vm/document/document_reading.hpp"

namespace pollard::vm {

class ChannelFilters;

/// The channels of DocumentReading::channels(), the computed ones that have a filter of their own, and the other stains
/// of each expression with vectors of one's own. Such stains have their names: "DAB", "Stain 2 (own vectors)".
[[nodiscard]] QList<ChannelEntry> offeredChannels(const DocumentReading& reading, const ChannelFilters& filters);

} // namespace pollard::vm
