#include "base/buffer.hpp"
#include "io/image_reader.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/read_support.hpp"
#include "io/volumes/sample_stream.hpp"
#include "io/volumes/volume_layout.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pollard {

namespace npy {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

[[noreturn]] void fail(const SourceFile& source, const std::string& why) {
    throw readError(ErrorCode::fileDamaged, source.path, "damaged NumPy file: " + why);
}

[[noreturn]] void refuse(const SourceFile& source, const std::string& why) {
    throw readError(ErrorCode::formatUnsupported, source.path, "NumPy: " + why);
}

/// The dictionary in the header of a file.
class NpyHeader {
public:
    explicit NpyHeader(const SourceFile& source) : source_(source) {
        constexpr std::size_t kMostBytes = std::size_t{64} << 10U;
        constexpr std::size_t kLengthAt = 8;
        const std::string start = leadingBytes(source, kLengthAt + 4);
        if (start.size() < kLengthAt + 4) {
            throw cutOffError(source, kLengthAt + 4);
        }
        const int version = static_cast<unsigned char>(start[kMagic.size()]);
        if (version < 1 || version > 3) {
            refuse(source, "the version " + std::to_string(version) + " of the format is not supported, 1 to 3 are");
        }
        const std::size_t lengthBytes = version == 1 ? 2 : 4;
        std::size_t length = 0;
        for (std::size_t i = lengthBytes; i != 0; --i) {
            length = length << 8U | static_cast<unsigned char>(start[kLengthAt + i - 1]);
        }
        if (length > kMostBytes) {
            refuse(source, "a header of more than 64 KiB is not supported");
        }
        end_ = kLengthAt + lengthBytes + length;
        text_ = leadingBytes(source, end_);
        if (text_.size() < end_) {
            throw cutOffError(source, end_);
        }
        text_.erase(0, kLengthAt + lengthBytes);
    }

    /// Bytes before the first sample.
    [[nodiscard]] std::uint64_t end() const noexcept { return end_; }
    /// The value of a key: the text in quotes or in brackets, or the next word.
    [[nodiscard]] std::string valueOf(const std::string& key) const {
        const std::string start = '\'' + key + "':";
        const std::size_t found = text_.find(start);
        const std::size_t at = found == std::string::npos ? found : text_.find_first_not_of(' ', found + start.size());
        if (at == std::string::npos) {
            fail(source_, "the header has no '" + key + "'");
        }
        const char first = text_[at];
        const std::size_t begin = first == '\'' || first == '(' ? at + 1 : at;
        const char* const ends = first == '\'' ? "'" : first == '(' ? ")" : " ,}";
        return text_.substr(begin, std::min(text_.find_first_of(ends, begin), text_.size()) - begin);
    }

private:
    const SourceFile& source_;
    std::string text_;
    std::uint64_t end_ = 0;
};

void setType(const SourceFile& source, const std::string& type, VolumeLayout& layout) {
    const auto refuseType = [&] {
        refuse(source, "samples of the type \"" + factText(type, 40) + "\" are not supported, integers and reals are");
    };
    constexpr std::string_view kOrders = "<>=|";
    const auto bytes = type.size() == 3 ? type[2] - '0' : 0;
    const bool isReal = type.size() == 3 && type[1] == 'f' && bytes >= 4;
    const bool isWhole = type.size() == 3 && (type[1] == 'i' || type[1] == 'u' || (type[1] == 'b' && bytes == 1));
    const bool isSize = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    if ((!isReal && !isWhole) || !isSize || kOrders.find(type[0]) == std::string_view::npos) {
        refuseType();
    }
    layout.kind = isReal ? SampleKind::real : type[1] == 'i' ? SampleKind::signedInteger : SampleKind::unsignedInteger;
    layout.bits = 8 * bytes;
    layout.bigEndian = type[0] == '>';
}

std::vector<std::uint64_t> sidesIn(const SourceFile& source, std::string shape) {
    std::vector<std::uint64_t> sides;
    std::ranges::replace(shape, ',', ' ');
    for (const std::string& word : wordsOf(shape)) {
        const auto side = integerOf(word);
        if (!side || *side < 0) {
            fail(source, "an axis has the size " + factText(word, 40));
        }
        sides.push_back(static_cast<std::uint64_t>(*side));
    }
    if (sides.size() != 2 && sides.size() != 3) {
        refuse(source, "arrays of " + std::to_string(sides.size()) + " axes are not supported, of 2 and 3 axes are");
    }
    return sides;
}

/// Decodes the pages of an array in Fortran order, in which all pages are interleaved: as many pages as fit into a
/// bounded buffer in a pass over the file.
class FortranPages final : public PageDecoder {
public:
    FortranPages(const VolumeLayout& layout, const ReadLimits& limits)
        : source_(layout.data), begin_(layout.begin), width_(layout.width), height_(layout.height),
          pages_(layout.axes.empty() ? 1 : layout.axes.front().second), sampleBytes_(layout.sampleBytes()),
          limits_(limits) {}

    void decode(std::uint64_t page, std::span<std::byte> out, const JobControl& control) const override {
        const std::scoped_lock lock(mutex_);
        if (page < first_ || page >= first_ + count_) {
            decodeFrom(page, out.size(), control);
        }
        std::memcpy(out.data(), decoded_.data() + (page - first_) * out.size(), out.size());
    }

private:
    void decodeFrom(std::uint64_t page, std::size_t pageBytes, const JobControl& control) const {
        constexpr std::size_t kMostBytes = std::size_t{256} << 20U;
        const std::uint64_t count = std::clamp<std::uint64_t>(kMostBytes / pageBytes, 1, pages_ - page);
        const std::size_t columnBytes = pages_ * height_ * sampleBytes_;
        requireMemory(source_.path, "an array in Fortran order needs", count * pageBytes + columnBytes, limits_);
        count_ = 0;
        decoded_ = Buffer<std::byte>(count * pageBytes);
        std::vector<std::byte> column(columnBytes);
        const FilePointer file = openForReading(source_.path);
        if (::fseeko(file.get(), static_cast<off_t>(begin_), SEEK_SET) != 0) {
            throw cutOffError(source_, begin_);
        }
        for (std::uint64_t x = 0; x != width_; ++x) {
            control.throwIfStopped();
            if (std::fread(column.data(), 1, column.size(), file.get()) != column.size()) {
                throw cutOffError(source_, begin_ + (x + 1) * columnBytes);
            }
            for (std::uint64_t y = 0; y != height_; ++y) {
                for (std::uint64_t i = 0; i != count; ++i) {
                    std::memcpy(decoded_.data() + i * pageBytes + (y * width_ + x) * sampleBytes_,
                                column.data() + (y * pages_ + page + i) * sampleBytes_, sampleBytes_);
                }
            }
        }
        first_ = page;
        count_ = count;
    }

    SourceFile source_;
    std::uint64_t begin_;
    std::uint64_t width_;
    std::uint64_t height_;
    std::uint64_t pages_;
    std::size_t sampleBytes_;
    ReadLimits limits_;
    mutable std::mutex mutex_; ///< for the decoded pages
    mutable Buffer<std::byte> decoded_;
    mutable std::uint64_t first_ = 0;
    mutable std::uint64_t count_ = 0;
};

VolumeLayout layoutOf(const SourceFile& source, const ReadOptions& options) {
    const NpyHeader header(source);
    VolumeLayout layout;
    layout.format = "NumPy";
    layout.data = source;
    layout.begin = header.end();
    setType(source, header.valueOf("descr"), layout);
    const std::vector<std::uint64_t> sides = sidesIn(source, header.valueOf("shape"));
    layout.width = sides.back();
    layout.height = sides[sides.size() - 2];
    if (sides.size() == 3) {
        layout.axes = {{'z', sides.front()}};
    }
    const std::string order = header.valueOf("fortran_order");
    if (order != "True" && order != "False") {
        fail(source, "the header has no 'fortran_order'");
    }
    if (const std::uint64_t bytes = bytesOfSamples(layout); order == "True" && bytes != 0) {
        if (bytes > source.size - layout.begin) {
            constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
            throw cutOffError(source, layout.begin + std::min(bytes, kMost));
        }
        layout.coding = VolumeLayout::Coding::pages;
        layout.decoder = std::make_shared<FortranPages>(layout, options.limits);
    }
    return layout;
}

class NpyPage final : public VolumePage {
public:
    NpyPage(const SourceFile& source, const ReadOptions& options)
        : VolumePage(source, layoutOf(source, options), options) {
        info_.compression = "none";
    }
};

} // namespace
} // namespace npy

/// Reads arrays of 2 axes, and of 3 axes as volumes. (NumPy Enhancement Proposal 1, "A simple file format for NumPy
/// arrays", versions 1.0 to 3.0)
const ImageReader& npyReader() {
    static const ImageReader reader{
        .filter = {"NumPy", {"npy"}},
        .recognises = [](const SourceFile& source) { return source.startsWith(npy::kMagic); },
        .open = &openAs<npy::NpyPage>,
        .readsRegions = true};
    return reader;
}

} // namespace pollard
