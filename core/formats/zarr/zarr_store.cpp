#include "formats/zarr/zarr_store.hpp"

#include "base/system.hpp"
#include "formats/zarr/zarr_codecs.hpp"
#include "io/read_support.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <optional>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <unordered_map>
#include <utility>
#include <vector>
#include <zlib.h>

namespace pollard {

namespace {

constexpr std::uint32_t kEndMark = 0x06054b50;
constexpr std::uint32_t kEnd64Mark = 0x06064b50;
constexpr std::uint32_t kEnd64PlaceMark = 0x07064b50;
constexpr std::uint32_t kEntryMark = 0x02014b50;
constexpr std::uint32_t kLocalMark = 0x04034b50;
constexpr std::uint32_t kIn64 = 0xffff'ffff; ///< the number stands in the zip64 field

/// Little-endian numbers of a record.
class Fields {
public:
    explicit Fields(std::span<const std::byte> bytes) : bytes_(bytes) {}

    template <class T> [[nodiscard]] T at(std::size_t place) const {
        T number = 0;
        for (std::size_t i = sizeof(T); i-- > 0;) {
            number = static_cast<T>(number << 8U | std::to_integer<unsigned>(bytes_[place + i]));
        }
        return number;
    }

private:
    std::span<const std::byte> bytes_;
};

struct Entry {
    std::uint64_t header = 0; ///< position of the local header
    std::uint64_t stored = 0; ///< bytes
    std::uint64_t size = 0;
    std::uint32_t crc = 0;
    std::uint16_t method = 0; ///< 0 stored, 8 deflated
};

void requireChecksum(std::span<const std::byte> bytes, const Entry& entry) {
    if (crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()) != entry.crc) {
        throw Error(ErrorCode::fileDamaged, "the checksum of an entry of the zip file is wrong; copy it again");
    }
}

/// Bytes of an archive's file.
class PartValue final : public ZarrValue {
public:
    PartValue(std::shared_ptr<const ZarrValue> file, std::uint64_t begin, const Entry& entry)
        : file_(std::move(file)), begin_(begin), entry_(entry) {}

    std::uint64_t size() const noexcept override { return entry_.size; }
    void read(std::uint64_t position, std::span<std::byte> out) const override {
        file_->read(begin_ + position, out);
        if (position == 0 && out.size() == entry_.size) {
            requireChecksum(out, entry_);
        }
    }

private:
    std::shared_ptr<const ZarrValue> file_;
    std::uint64_t begin_;
    Entry entry_;
};

/// An entry that is decoded as a whole when it is read.
class DeflatedValue final : public ZarrValue {
public:
    DeflatedValue(std::shared_ptr<const ZarrValue> file, std::uint64_t begin, const Entry& entry)
        : file_(std::move(file)), begin_(begin), entry_(entry) {}

    std::uint64_t size() const noexcept override { return entry_.size; }
    void read(std::uint64_t position, std::span<std::byte> out) const override {
        if (position == 0 && out.size() == entry_.size) {
            decode(out);
            return;
        }
        Buffer<std::byte> all(static_cast<std::size_t>(entry_.size));
        decode(all.span());
        std::ranges::copy(all.span().subspan(static_cast<std::size_t>(position), out.size()), out.begin());
    }

private:
    void decode(std::span<std::byte> out) const {
        Buffer<std::byte> stored(static_cast<std::size_t>(entry_.stored));
        file_->read(begin_, stored.span());
        if (inflated(stored.span(), out, Deflate::raw) != out.size()) {
            throw Error(ErrorCode::fileDamaged, "an entry of the zip file is damaged; copy it again");
        }
        requireChecksum(out, entry_);
    }

    std::shared_ptr<const ZarrValue> file_;
    std::uint64_t begin_;
    Entry entry_;
};

class ZipStore final : public ZarrStore {
public:
    explicit ZipStore(const std::filesystem::path& path) : path_(path) {
        const std::filesystem::path name = path.filename();
        file_ = openFolderStore(path.has_parent_path() ? path.parent_path() : ".")->find(name.string());
        if (!file_) {
            throw readError(ErrorCode::fileNotFound, path, "no such file");
        }
        readDirectory();
        findRoot();
    }

    std::unique_ptr<ZarrValue> find(const std::string& key) const override {
        const auto found = entries_.find(root_ + key);
        if (found == entries_.end()) {
            return nullptr;
        }
        const Entry& entry = found->second;
        const std::uint64_t begin = beginOf(entry);
        if (entry.method == 0) {
            return std::make_unique<PartValue>(file_, begin, entry);
        }
        constexpr std::uint64_t kMost = std::uint64_t{1} << 31U;
        constexpr std::uint64_t kExpansion = 1040; // of Deflate, at most
        if (entry.size > kMost || entry.size / kExpansion > entry.stored) {
            fail("an entry is to have " + sizeText(entry.size) + " from " + sizeText(entry.stored) +
                 " of compressed data");
        }
        return std::make_unique<DeflatedValue>(file_, begin, entry);
    }

private:
    [[noreturn]] void fail(const std::string& why) const { throw readError(ErrorCode::fileDamaged, path_, why); }

    [[nodiscard]] Buffer<std::byte> part(std::uint64_t position, std::uint64_t count) const {
        if (position > file_->size() || count > file_->size() - position) {
            fail("the zip file is cut off; copy it again");
        }
        Buffer<std::byte> bytes(static_cast<std::size_t>(count));
        file_->read(position, bytes.span());
        return bytes;
    }

    /// Position of the first byte of an entry.
    [[nodiscard]] std::uint64_t beginOf(const Entry& entry) const {
        constexpr std::uint64_t kHeader = 30;
        const Buffer<std::byte> header = part(entry.header, kHeader);
        const Fields fields(header.span());
        const std::uint64_t begin =
            entry.header + kHeader + fields.at<std::uint16_t>(26) + fields.at<std::uint16_t>(28);
        if (fields.at<std::uint32_t>(0) != kLocalMark || begin > file_->size() ||
            entry.stored > file_->size() - begin || (entry.method == 0 && entry.stored != entry.size)) {
            fail("an entry of the zip file lies outside of it; copy it again");
        }
        return begin;
    }

    void readDirectory() {
        constexpr std::uint64_t kPlace = 20;
        constexpr std::uint64_t kEnd = 22;
        constexpr std::uint64_t kLongestComment = 65535;
        const std::uint64_t size = file_->size();
        const std::uint64_t tailBytes = std::min(size, kPlace + kEnd + kLongestComment);
        const Buffer<std::byte> tail = part(size - tailBytes, tailBytes);
        const Fields fields(tail.span());
        std::uint64_t at = tailBytes;
        for (std::uint64_t from = tailBytes < kEnd ? 0 : tailBytes - kEnd + 1; from-- > 0;) {
            if (fields.at<std::uint32_t>(from) == kEndMark) {
                at = from;
                break;
            }
        }
        if (at == tailBytes) {
            fail("the zip file has no directory; copy it again");
        }
        std::uint64_t bytes = fields.at<std::uint32_t>(at + 12);
        std::uint64_t begin = fields.at<std::uint32_t>(at + 16);
        if (at >= kPlace && fields.at<std::uint32_t>(at - kPlace) == kEnd64PlaceMark) {
            const Buffer<std::byte> end = part(fields.at<std::uint64_t>(at - kPlace + 8), 56);
            const Fields more(end.span());
            if (more.at<std::uint32_t>(0) != kEnd64Mark) {
                fail("the directory of the zip file is damaged");
            }
            bytes = more.at<std::uint64_t>(40);
            begin = more.at<std::uint64_t>(48);
        }
        const Buffer<std::byte> directory = part(begin, bytes);
        readEntries(directory.span());
    }

    void readEntries(std::span<const std::byte> directory) {
        constexpr std::size_t kHeader = 46;
        while (directory.size() >= kHeader) {
            const Fields fields(directory);
            const std::size_t nameBytes = fields.at<std::uint16_t>(28);
            const std::size_t extraBytes = fields.at<std::uint16_t>(30);
            const std::size_t all = kHeader + nameBytes + extraBytes + fields.at<std::uint16_t>(32);
            if (fields.at<std::uint32_t>(0) != kEntryMark || all > directory.size()) {
                fail("the directory of the zip file is damaged");
            }
            std::string name(reinterpret_cast<const char*>(directory.data()) + kHeader, nameBytes);
            Entry entry{fields.at<std::uint32_t>(42), fields.at<std::uint32_t>(20), fields.at<std::uint32_t>(24),
                        fields.at<std::uint32_t>(16), fields.at<std::uint16_t>(10)};
            readLargeNumbers(directory.subspan(kHeader + nameBytes, extraBytes), entry);
            const bool isEncrypted = (fields.at<std::uint16_t>(8) & 1U) != 0;
            if (isEncrypted || (entry.method != 0 && entry.method != 8)) {
                throw readError(ErrorCode::formatUnsupported, path_,
                                "entries of zip files must be stored or deflated, and not encrypted");
            }
            entries_.insert_or_assign(std::move(name), entry);
            directory = directory.subspan(all);
        }
    }

    /// Reads the zip64 field: size, stored bytes and position, in this order, each only if it does not fit 32 bits.
    static void readLargeNumbers(std::span<const std::byte> extra, Entry& entry) {
        constexpr std::uint16_t kZip64 = 1;
        while (extra.size() >= 4) {
            const Fields fields(extra);
            const std::size_t bytes = std::min<std::size_t>(fields.at<std::uint16_t>(2), extra.size() - 4);
            if (fields.at<std::uint16_t>(0) == kZip64) {
                std::size_t at = 4;
                for (std::uint64_t* number : {&entry.size, &entry.stored, &entry.header}) {
                    if (*number == kIn64 && at + 8 <= 4 + bytes) {
                        *number = fields.at<std::uint64_t>(at);
                        at += 8;
                    }
                }
            }
            extra = extra.subspan(4 + bytes);
        }
    }

    void findRoot() {
        if (std::ranges::any_of(kZarrMetadata, [&](auto name) { return entries_.contains(std::string(name)); })) {
            return;
        }
        for (const auto& [name, entry] : entries_) {
            const std::size_t slash = name.find('/');
            const bool isTop = slash != std::string::npos && name.find('/', slash + 1) == std::string::npos;
            if (isTop && std::ranges::find(kZarrMetadata, name.substr(slash + 1)) != kZarrMetadata.end() &&
                (root_.empty() || name.compare(0, slash + 1, root_) < 0)) {
                root_ = name.substr(0, slash + 1);
            }
        }
        if (root_.empty()) {
            throw readError(ErrorCode::formatUnsupported, path_, "the zip file holds no Zarr group or array");
        }
    }

    std::filesystem::path path_;
    std::shared_ptr<const ZarrValue> file_;
    std::unordered_map<std::string, Entry> entries_;
    std::string root_; ///< with a slash at the end, or empty
};

/// A file of a folder.
class FileValue final : public ZarrValue {
public:
    FileValue(std::filesystem::path path, int descriptor, std::uint64_t size)
        : path_(std::move(path)), descriptor_(descriptor), size_(size) {}
    ~FileValue() override { ::close(descriptor_); }
    FileValue(const FileValue&) = delete;
    FileValue& operator=(const FileValue&) = delete;

    std::uint64_t size() const noexcept override { return size_; }

    void read(std::uint64_t position, std::span<std::byte> out) const override {
        const std::optional<std::size_t> count = readAt(descriptor_, out.data(), out.size(), position);
        if (count != out.size()) {
            throw readError(count ? ErrorCode::fileDamaged : ErrorCode::fileUnreadable, path_,
                            count ? "the file ends too early; copy it again" : std::strerror(errno));
        }
    }

private:
    std::filesystem::path path_;
    int descriptor_;
    std::uint64_t size_;
};

/// Whether a key names something below the root.
bool staysInside(const std::string& key) {
    const std::filesystem::path path(key);
    return path.is_relative() && std::ranges::find(path, "..") == path.end() && key.find('\0') == std::string::npos;
}

class FolderStore final : public ZarrStore {
public:
    explicit FolderStore(std::filesystem::path folder) : folder_(std::move(folder)) {}

    std::unique_ptr<ZarrValue> find(const std::string& key) const override {
        if (!staysInside(key)) {
            throw readError(ErrorCode::fileDamaged, folder_, "the path \"" + key + "\" leads out of the folder");
        }
        const std::filesystem::path path = folder_ / key;
        // A named pipe must not block.
        const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (descriptor < 0) {
            if (errno == ENOENT || errno == ENOTDIR) {
                return nullptr;
            }
            throw readError(ErrorCode::fileUnreadable, path, std::strerror(errno));
        }
        struct stat status {};
        const bool isFile = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
        auto value = std::make_unique<FileValue>(path, descriptor, static_cast<std::uint64_t>(status.st_size));
        return isFile ? std::move(value) : nullptr;
    }

private:
    std::filesystem::path folder_;
};

} // namespace

std::optional<std::string> textOfKey(const ZarrStore& store, const std::string& key, std::size_t most) {
    const std::unique_ptr<ZarrValue> value = store.find(key);
    if (!value) {
        return std::nullopt;
    }
    if (value->size() > most) {
        throw Error(ErrorCode::limitExceeded, key + ": " + sizeText(value->size()) + " are more than the limit of " +
                                                  sizeText(most) + " for metadata");
    }
    std::string text(static_cast<std::size_t>(value->size()), '\0');
    value->read(0, std::as_writable_bytes(std::span(text)));
    return text;
}

std::string joinedKey(const std::string& path, const std::string& name) {
    return path.empty() || name.empty() ? path + name : path + '/' + name;
}

std::unique_ptr<ZarrStore> openFolderStore(const std::filesystem::path& folder) {
    return std::make_unique<FolderStore>(folder);
}

std::unique_ptr<ZarrStore> openZipStore(const std::filesystem::path& file) { return std::make_unique<ZipStore>(file); }

} // namespace pollard
