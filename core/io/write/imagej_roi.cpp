#include "io/write/imagej_roi.hpp"

#include "base/error.hpp"

#include <array>
#include <limits>
#include <utility>

namespace pollard {

namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
constexpr std::uint16_t kZipVersion = 20;
constexpr std::uint16_t kDate = 0x21; ///< 1 January 1980, for reproducible files

constexpr std::size_t kHeaderBytes = 64;
constexpr std::size_t kCompositeAt = 36; ///< offset of the number of floats of a composite region
constexpr std::size_t kPositionAt = 56;  ///< offset of the number of the slice; 0: all slices
constexpr std::size_t kRoiVersion = 227;

constexpr std::array<std::uint32_t, 256> makeCrcTable() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t value = i;
        for (int bit = 0; bit < 8; ++bit) {
            value = (value & 1U) != 0 ? (value >> 1U) ^ 0xedb88320U : value >> 1U;
        }
        table[i] = value;
    }
    return table;
}
constexpr std::array<std::uint32_t, 256> kCrcTable = makeCrcTable();

/// Little-endian integers and text.
class Record {
public:
    Record& u16(std::size_t value) { return number(value, 2); }
    Record& u32(std::size_t value) { return number(value, 4); }
    Record& text(std::string_view text) {
        for (const char c : text) {
            bytes_.push_back(static_cast<std::byte>(c));
        }
        return *this;
    }
    [[nodiscard]] const std::vector<std::byte>& bytes() const noexcept { return bytes_; }

private:
    Record& number(std::size_t value, int bytes) {
        for (int i = 0; i < bytes; ++i) {
            bytes_.push_back(static_cast<std::byte>(value >> (8 * i) & 0xffU));
        }
        return *this;
    }
    std::vector<std::byte> bytes_;
};

} // namespace

std::uint32_t crc32Of(std::span<const std::byte> bytes) noexcept {
    std::uint32_t value = 0xffffffffU;
    for (const std::byte byte : bytes) {
        value = kCrcTable[(value ^ static_cast<std::uint32_t>(byte)) & 0xffU] ^ (value >> 8U);
    }
    return value ^ 0xffffffffU;
}

StoredZip::StoredZip(const std::filesystem::path& target, std::string what)
    : file_(target, what), what_(std::move(what)) {}

void StoredZip::add(std::string_view name, std::span<const std::byte> content) {
    if (entries_.size() == kMostFiles) {
        throw Error(ErrorCode::limitExceeded, what_ + ": more than 65,535 files do not fit into a zip archive");
    }
    if (written_ + content.size() > std::numeric_limits<std::uint32_t>::max() - kPieceBytes) {
        throw Error(ErrorCode::limitExceeded, what_ + ": more than 4 GB do not fit into a zip archive");
    }
    const Entry entry{std::string(name), crc32Of(content), static_cast<std::uint32_t>(content.size()),
                      static_cast<std::uint32_t>(written_)};
    Record header;
    header.u32(0x04034b50).u16(kZipVersion).u16(0).u16(0).u16(0).u16(kDate);
    header.u32(entry.crc).u32(entry.bytes).u32(entry.bytes).u16(name.size()).u16(0).text(name);
    write(header.bytes());
    write({content.begin(), content.end()});
    entries_.push_back(entry);
}

void StoredZip::commit() {
    const std::uint64_t start = written_;
    for (const Entry& entry : entries_) {
        Record header;
        header.u32(0x02014b50).u16(kZipVersion).u16(kZipVersion).u16(0).u16(0).u16(0).u16(kDate);
        header.u32(entry.crc).u32(entry.bytes).u32(entry.bytes).u16(entry.name.size());
        header.u16(0).u16(0).u16(0).u16(0).u32(0).u32(entry.offset).text(entry.name);
        write(header.bytes());
    }
    if (written_ > std::numeric_limits<std::uint32_t>::max()) {
        throw Error(ErrorCode::limitExceeded, what_ + ": more than 4 GB do not fit into a zip archive");
    }
    Record end;
    end.u32(0x06054b50).u16(0).u16(0).u16(entries_.size()).u16(entries_.size());
    end.u32(written_ - start).u32(start).u16(0);
    write(end.bytes());
    file_.writeAll(buffer_.data(), buffer_.size());
    file_.commit();
}

void StoredZip::write(const std::vector<std::byte>& bytes) {
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    written_ += bytes.size();
    if (buffer_.size() >= kPieceBytes) {
        file_.writeAll(buffer_.data(), buffer_.size());
        buffer_.clear();
    }
}

RoiBytes::RoiBytes(RoiType type, const RoiBox& box, std::size_t corners, std::size_t composite) {
    u32(0x496f7574); // "Iout"
    u16(kRoiVersion);
    u16(static_cast<std::size_t>(type) << 8U);
    for (const std::uint32_t side : {box.top, box.left, box.bottom, box.right}) {
        u16(side);
    }
    u16(corners);
    bytes_.resize(kCompositeAt);
    u32(composite);
    bytes_.resize(kHeaderBytes);
}

void RoiBytes::placeInSlice(std::uint32_t slice) {
    for (int i = 0; i < 4; ++i) { // big-endian, 1-based
        bytes_[kPositionAt + static_cast<std::size_t>(i)] =
            static_cast<std::byte>((slice + 1) >> (8 * (3 - i)) & 0xffU);
    }
}

void RoiBytes::number(std::size_t value, int bytes) {
    for (int i = bytes - 1; i >= 0; --i) {
        bytes_.push_back(static_cast<std::byte>(value >> (8 * i) & 0xffU));
    }
}

} // namespace pollard
