#include "io/write/stored_zip.hpp"

#include "base/error.hpp"

#include <array>
#include <limits>
#include <utility>

namespace pollard {

namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
constexpr std::uint16_t kVersion = 20;
constexpr std::uint16_t kDate = 0x21; ///< 1 January 1980, for reproducible files

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
    header.u32(0x04034b50).u16(kVersion).u16(0).u16(0).u16(0).u16(kDate);
    header.u32(entry.crc).u32(entry.bytes).u32(entry.bytes).u16(name.size()).u16(0).text(name);
    write(header.bytes());
    write({content.begin(), content.end()});
    entries_.push_back(entry);
}

void StoredZip::commit() {
    const std::uint64_t start = written_;
    for (const Entry& entry : entries_) {
        Record header;
        header.u32(0x02014b50).u16(kVersion).u16(kVersion).u16(0).u16(0).u16(0).u16(kDate);
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

} // namespace pollard
