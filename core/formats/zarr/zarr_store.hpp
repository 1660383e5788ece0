#pragma once

#include "base/buffer.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace pollard {

/// A value of a Zarr store. Thread-safe.
class ZarrValue {
public:
    virtual ~ZarrValue() = default;

    [[nodiscard]] virtual std::uint64_t size() const noexcept = 0; ///< bytes
    /// Reads bytes from @p position on; all must lie in the value. @throws Error(fileDamaged, fileUnreadable)
    virtual void read(std::uint64_t position, std::span<std::byte> out) const = 0;
};

/// The keys and values of a Zarr hierarchy. Keys are relative paths such as "0/.zarray". Thread-safe.
class ZarrStore {
public:
    virtual ~ZarrStore() = default;

    /// The value of a key; null if there is none.
    /// @throws Error(fileDamaged) for a key that leads out of the store, Error(fileUnreadable)
    [[nodiscard]] virtual std::unique_ptr<ZarrValue> find(const std::string& key) const = 0;
};

/// The value of a key as text; nothing if there is none.
/// @throws as ZarrStore::find(); Error(limitExceeded) above @p most bytes
[[nodiscard]] std::optional<std::string> textOfKey(const ZarrStore& store, const std::string& key, std::size_t most);

/// "path/name", or the name alone in the root.
[[nodiscard]] std::string joinedKey(const std::string& path, const std::string& name);

/// Opens a store in a folder, in which each value is a file.
[[nodiscard]] std::unique_ptr<ZarrStore> openFolderStore(const std::filesystem::path& folder);

/// Opens a store in a zip file with stored or deflated entries. The hierarchy may lie in the only folder of the
/// archive. Reads Zip64; no encryption and no split archives. (PKWARE, "APPNOTE.TXT - .ZIP File Format Specification";
/// NGFF RFC 9)
/// @throws Error(fileUnreadable, fileDamaged, limitExceeded); Error(formatUnsupported) without a Zarr hierarchy
[[nodiscard]] std::unique_ptr<ZarrStore> openZipStore(const std::filesystem::path& file);

/// Names of the values with the metadata of a group or an array: of Zarr 3, then of Zarr 2.
inline constexpr std::array<std::string_view, 4> kZarrMetadata = {"zarr.json", ".zgroup", ".zarray", ".zattrs"};

} // namespace pollard
