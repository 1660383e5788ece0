// Any bytes as the job or a file of an image in parts: an error in one line, or arrays that merges and results can
// use. The first byte selects the kind; checksums of sections are mended, so that changed sections are read.
#include "memory_file.hpp"
#include "promise.hpp"

#include "base/error.hpp"
#include "chunks/merge/merge_parts.hpp"
#include "chunks/part_files.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace pollard;
using fuzz::require;

constexpr std::uint64_t kIdentity = 7;
constexpr std::size_t kHeaderBytes = 24; ///< of the file and of a section

/// With every kind of file, or one whose parts can be cut.
PartJob jobOf(bool labels, bool canBeCut = false) {
    FilterSpec filter;
    if (canBeCut) {
        filter.criteria = {parseCriterion("area>=3"), parseCriterion("height>=2"), parseCriterion("width>=2")};
        return partJob(ChunkGrid({6, 5}, {3, 2}), PixelType::u8, TreeKind::max, Connectivity::eight, filter);
    }
    filter.criteria = {parseCriterion("area>=3"), parseCriterion("dynamics>=2")};
    filter.rule = Rule::viterbi;
    filter.output = labels ? Output::labels : Output::filtered;
    filter.prominent = Prominent{Prominence::extinctionArea, 5};
    return partJob(ChunkGrid({6, 5}, {3, 2}), PixelType::u8, TreeKind::max, Connectivity::eight, filter);
}

template <class T> T valueAt(const std::vector<std::uint8_t>& bytes, std::size_t at) {
    T value{};
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

void setChecksum(std::vector<std::uint8_t>& bytes, std::size_t at, std::size_t from, std::size_t count) {
    const auto sum = static_cast<std::uint32_t>(crc32(0, bytes.data() + from, static_cast<uInt>(count)));
    std::memcpy(bytes.data() + at, &sum, sizeof sum);
}

/// Sets the checksums of all sections that are whole.
void mend(std::vector<std::uint8_t>& bytes) {
    for (std::size_t at = kHeaderBytes; at + kHeaderBytes <= bytes.size();) {
        const std::size_t left = bytes.size() - at - kHeaderBytes;
        const auto element = valueAt<std::uint32_t>(bytes, at + 4);
        const auto count = valueAt<std::uint64_t>(bytes, at + 8);
        const bool isWhole = element > 0 && count <= left / element;
        const std::size_t length = isWhole ? count * element : 0;
        setChecksum(bytes, at + 16, at + kHeaderBytes, length);
        setChecksum(bytes, at + 20, at, 20);
        if (!isWhole) {
            return;
        }
        at += kHeaderBytes + length;
    }
}

void mergeWithNothing(const PartJob& job, const Part& part) {
    const std::array parts{&part};
    MergeStep step;
    const Part merged = mergeParts(job, parts, step);
    require(merged.nodeCount() <= part.nodeCount(), "a merge makes no nodes");
    if (canBeCut(job)) {
        const CutPart cut = cutPart(job, part);
        require(cut.part.nodeCount() <= part.nodeCount(), "a cut makes no nodes");
        (void)mergeParts(job, std::array{&std::as_const(cut.part)}, step);
        return;
    }
    require(step.nodeOfInput.size() == 1 && step.nodeOfInput[0].size() == part.nodeCount(), "a node per vertex");
}

void leadBack(const PartJob& job, const MergeStep& step) {
    const auto open = static_cast<std::size_t>(
        std::ranges::count_if(step.openNode.span(), [](std::uint32_t node) { return node != Part::kNone; }));
    PartResults results(open, job.filter.output == Output::labels);
    for (std::size_t i = 0; i < open; ++i) {
        results.set(i, {});
    }
    std::uint64_t kept = 0;
    const auto inputs = resultsOf(job, step, results, kept);
    require(inputs.size() == step.nodeOfInput.size(), "results of every input");
}

void readKind(unsigned kind, const std::filesystem::path& path, const PartJob& job) {
    switch (kind) {
    case 1:
        mergeWithNothing(job, readPart(path, kIdentity, job));
        break;
    case 2:
        leadBack(job, readStep(path, kIdentity, job));
        break;
    case 3:
        (void)readResults(path, kIdentity, job);
        break;
    case 4:
        (void)readValues(path, kIdentity, job);
        break;
    case 5:
        (void)readDecisions(path, kIdentity, job);
        break;
    case 6:
        if (job.filter.prominent) {
            (void)readLeaves(path, kIdentity, job);
        }
        break;
    default: {
        RecordReader file(path, RecordKind::row, kIdentity);
        (void)file.take<std::uint64_t>("firs");
        file.requireEnd();
        break;
    }
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const unsigned kind = data[0] & 7U;
    try {
        if (kind == 0) {
            const NamedPartJob job = parsePartJob({reinterpret_cast<const char*>(data + 1), size - 1});
            const std::string text = textOf(job.job, job.source);
            const NamedPartJob again = parsePartJob(text);
            require(textOf(again.job, again.source) == text, "the text of a job reads back to it");
            return 0;
        }
        static fuzz::MemoryFile file;
        std::vector<std::uint8_t> bytes(data + 1, data + size);
        mend(bytes);
        file.assign(bytes.data(), bytes.size());
        static const std::array kJobs{jobOf(false), jobOf(true), jobOf(false, true), jobOf(false, true)};
        readKind(kind, file.path(), kJobs[data[0] >> 3U & 3U]);
    } catch (const Error& error) {
        const std::string_view message = error.what();
        require(!message.empty() && message.find('\n') == std::string_view::npos, "an error of one line");
    }
    return 0;
}
