#include "base/file_bytes.hpp"
#include "formats/zarr/zarr_store.hpp"
#include "io/read_support.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace pollard {

namespace {

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

} // namespace pollard
