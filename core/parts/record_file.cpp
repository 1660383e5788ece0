#include "parts/record_file.hpp"

#include "base/error.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace pollard {

namespace {

constexpr std::array<char, 8> kMagic{'P', 'o', 'l', 'P', 'a', 'r', 't', 's'};
constexpr std::uint32_t kVersion = 1;

struct Header {
    std::array<char, 8> magic;
    std::uint32_t version;
    std::uint32_t kind;
    std::uint64_t identity;
};
static_assert(sizeof(Header) == 24);

struct SectionHeader {
    std::uint32_t tag;
    std::uint32_t elementBytes;
    std::uint64_t count;
    std::uint32_t checksum;    ///< CRC-32 of the values
    std::uint32_t ownChecksum; ///< CRC-32 of the bytes before
};
static_assert(sizeof(SectionHeader) == 24);
constexpr std::size_t kOwnChecksumAt = 20;

std::uint32_t checksumOf(std::span<const std::byte> bytes) noexcept {
    constexpr std::size_t kPiece = std::size_t{1} << 30; // zlib counts in 32 bits
    uLong sum = crc32(0, nullptr, 0);
    for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
        const std::size_t count = std::min(kPiece, bytes.size() - at);
        sum = crc32(sum, reinterpret_cast<const Bytef*>(bytes.data() + at), static_cast<uInt>(count));
    }
    return static_cast<std::uint32_t>(sum);
}

std::uint32_t checksumOf(const SectionHeader& header) noexcept {
    return checksumOf(std::as_bytes(std::span(&header, 1)).first(kOwnChecksumAt));
}

} // namespace

RecordWriter::RecordWriter(const RecordTarget& target, RecordKind kind, std::uint64_t identity)
    : memory_(target.memory_) {
    if (memory_ == nullptr) {
        file_.emplace(target.path_, "cannot write part");
    }
    const Header header{kMagic, kVersion, static_cast<std::uint32_t>(kind), identity};
    write(std::as_bytes(std::span(&header, 1)));
}

void RecordWriter::write(std::span<const std::byte> bytes) {
    if (memory_ != nullptr) {
        memory_->insert(memory_->end(), bytes.begin(), bytes.end());
    } else if (!bytes.empty()) {
        file_->writeAll(bytes.data(), bytes.size());
    }
}

void RecordWriter::addBytes(std::uint32_t tag, std::size_t elementBytes, std::size_t count,
                            std::span<const std::byte> bytes) {
    SectionHeader header{tag, static_cast<std::uint32_t>(elementBytes), count, checksumOf(bytes), 0};
    header.ownChecksum = checksumOf(header);
    write(std::as_bytes(std::span(&header, 1)));
    write(bytes);
}

void RecordWriter::commit() {
    if (file_) {
        file_->commit();
    }
}

RecordReader::RecordReader(const RecordSource& source, RecordKind kind, std::uint64_t identity)
    : path_(source.path_), file_(nullptr) {
    if (source.memory_.empty()) {
        left_ = openSource(path_).size;
        file_ = openForReading(path_);
    } else {
        left_ = source.memory_.size();
        file_ = openForReading(SourceFile{path_, left_, {}, source.memory_});
    }
    Header header{};
    if (left_ < sizeof header || std::fread(&header, sizeof header, 1, file_.get()) != 1 || header.magic != kMagic) {
        fail("no file of parts");
    }
    left_ -= sizeof header;
    if (header.version != kVersion) {
        fail("version " + std::to_string(header.version) + " is not known");
    }
    if (header.kind != static_cast<std::uint32_t>(kind)) {
        fail("another kind of part is expected here");
    }
    if (header.identity != identity) {
        fail("belongs to another job: another picture, filter or size of chunks");
    }
}

void RecordReader::require(bool holds) const {
    if (!holds) {
        fail("contradicts itself");
    }
}

void RecordReader::requireEnd() const {
    if (left_ != 0) {
        fail("has more bytes than its sections");
    }
}

void RecordReader::fail(const std::string& why) const {
    throw Error(ErrorCode::fileDamaged, "cannot read part: " + path_.string() + ": " + why);
}

std::size_t RecordReader::nextCount(std::uint32_t tag, std::size_t elementBytes) {
    SectionHeader header{};
    if (left_ < sizeof header || std::fread(&header, sizeof header, 1, file_.get()) != 1) {
        fail("is cut off");
    }
    left_ -= sizeof header;
    if (header.ownChecksum != checksumOf(header) || header.tag != tag || header.elementBytes != elementBytes) {
        fail("is damaged");
    }
    if (header.count > left_ / elementBytes) {
        fail("is cut off");
    }
    checksum_ = header.checksum;
    return static_cast<std::size_t>(header.count);
}

void RecordReader::readBytes(std::span<std::byte> bytes) {
    if (!bytes.empty() && std::fread(bytes.data(), bytes.size(), 1, file_.get()) != 1) {
        fail("is cut off");
    }
    left_ -= bytes.size();
    if (checksumOf(bytes) != checksum_) {
        fail("is damaged");
    }
}

std::uint64_t hashOf(std::string_view text) noexcept {
    std::uint64_t hash = 0xcbf2'9ce4'8422'2325ULL;
    for (const char letter : text) {
        hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100'0000'01b3ULL;
    }
    return hash;
}

} // namespace pollard
