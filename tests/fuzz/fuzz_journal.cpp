// Any bytes as a journal, and as the runs of a record with a right checksum: complete labels of the same size.
#include "labels/label_journal.hpp"
#include "promise.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using pollard::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const pollard::Extent extent{16, 8, 2};
    const auto empty = pollard::LabelRuns::of(std::vector<std::uint32_t>(extent.pixelCount()), extent);
    const std::string start = pollard::journalStart(extent);
    for (const std::string& journal :
         {std::string(bytes), start + std::string(bytes), start + pollard::framedRecord(bytes)}) {
        pollard::LabelRuns labels = empty;
        const std::size_t records = pollard::replayJournal(journal, labels);
        require(labels.areComplete() && labels.extent() == extent, "the labels of an image of the same size");
        require(records != 0 || labels == empty, "without a record nothing changes");
    }
    return 0;
}
