#include "labels/label_journal.hpp"

#include "labels/pixel_spans.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

namespace pollard {

namespace {

constexpr std::string_view kJournalName = "pollard edits 1\n";
constexpr std::size_t kWordBytes = 4;

void appendWord(std::string& text, std::size_t word) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
        text += static_cast<char>(word >> shift & 0xffU);
    }
}

void appendNumber(std::string& text, std::size_t number) {
    for (; number >= 0x80; number >>= 7U) {
        text += static_cast<char>(number | 0x80U);
    }
    text += static_cast<char>(number);
}

std::uint32_t checksumOf(std::string_view runs) {
    return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(runs.data()), runs.size()));
}

/// Reads numbers from the start of a text.
class JournalText {
public:
    explicit JournalText(std::string_view text) : text_(text) {}

    [[nodiscard]] bool isAtEnd() const noexcept { return text_.empty(); }
    /// Nothing if the text is shorter.
    std::optional<std::string_view> take(std::size_t bytes) {
        if (bytes > text_.size()) {
            return std::nullopt;
        }
        const std::string_view part = text_.substr(0, bytes);
        text_.remove_prefix(bytes);
        return part;
    }
    std::optional<std::uint32_t> word() {
        const auto bytes = take(kWordBytes);
        if (!bytes) {
            return std::nullopt;
        }
        std::uint32_t word = 0;
        for (unsigned i = 0; i < kWordBytes; ++i) {
            word |= std::uint32_t{static_cast<unsigned char>((*bytes)[i])} << 8 * i;
        }
        return word;
    }
    /// Nothing for more than 32 bits.
    std::optional<std::uint32_t> number() {
        std::uint64_t number = 0;
        for (unsigned shift = 0; shift < 35; shift += 7) {
            const auto byte = take(1);
            if (!byte) {
                return std::nullopt;
            }
            const auto bits = static_cast<unsigned char>(byte->front());
            number |= std::uint64_t{bits & 0x7fU} << shift;
            if ((bits & 0x80U) == 0) {
                return number > std::numeric_limits<std::uint32_t>::max()
                           ? std::nullopt
                           : std::optional(static_cast<std::uint32_t>(number));
            }
        }
        return std::nullopt;
    }

private:
    std::string_view text_;
};

struct NumberedRun {
    PixelSpan pixels;
    std::uint32_t number = 0;
};

/// The runs of a record. Nothing if the text has no runs of an image of so many pixels.
std::optional<std::vector<NumberedRun>> runsIn(std::string_view runs, std::size_t pixels) {
    std::vector<NumberedRun> found;
    JournalText text(runs);
    std::size_t end = 0;
    while (!text.isAtEnd()) {
        const auto gap = text.number();
        const auto length = text.number();
        const auto number = text.number();
        if (!gap || !length || !number || *gap > pixels - end || *length > pixels - end - *gap) {
            return std::nullopt;
        }
        const std::size_t first = end + *gap;
        end = first + *length;
        found.push_back({{first, end}, *number});
    }
    return found;
}

} // namespace

std::string journalStart(const Extent& extent) {
    std::string text(kJournalName);
    appendWord(text, extent.width);
    appendWord(text, extent.height);
    appendWord(text, extent.slices);
    return text;
}

std::string framedRecord(std::string_view runs) {
    std::string record;
    appendWord(record, runs.size());
    appendWord(record, checksumOf(runs));
    return record.append(runs);
}

std::string journalRecord(const LabelEdit& edit, bool after,
                          const std::function<std::uint32_t(std::uint32_t)>& numberOf) {
    std::string runs;
    std::size_t end = 0;
    edit.forEachRun([&](const PixelSpan& pixels, std::uint32_t old, std::uint32_t fresh) {
        appendNumber(runs, pixels.first - end);
        appendNumber(runs, pixels.last - pixels.first);
        appendNumber(runs, numberOf(after ? fresh : old));
        end = pixels.last;
    });
    return framedRecord(runs);
}

std::size_t replayJournal(std::string_view journal, LabelRuns& labels) {
    JournalText text(journal);
    const std::string start = journalStart(labels.extent());
    if (text.take(start.size()) != start) {
        return 0;
    }
    Buffer<std::uint32_t> numbers = labels.numbers();
    std::size_t count = 0;
    while (const auto bytes = text.word()) {
        const auto checksum = text.word();
        const auto record = text.take(*bytes);
        const auto runs = record && checksumOf(*record) == checksum ? runsIn(*record, numbers.size()) : std::nullopt;
        if (!runs) {
            break;
        }
        for (const NumberedRun& run : *runs) {
            std::ranges::fill(numbers.span().subspan(run.pixels.first, run.pixels.last - run.pixels.first), run.number);
        }
        ++count;
    }
    if (count != 0) {
        labels = LabelRuns::of(numbers.span(), labels.extent());
    }
    return count;
}

} // namespace pollard
