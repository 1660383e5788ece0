#pragma once

#include <cpl_vsi.h>
#include <cstddef>
#include <cstdint>
#include <gdal.h>
#include <memory>
#include <span>
#include <string>

namespace pollard {

struct CloseGdal {
    void operator()(void* dataset) const noexcept { GDALClose(dataset); }
};
using GdalHandle = std::unique_ptr<void, CloseGdal>;

/// A file in GDAL's memory, removed with this object.
class GdalMemoryFile {
public:
    /// @param extension with the dot
    explicit GdalMemoryFile(const std::string& extension)
        : name_("/vsimem/pollard-" + std::to_string(reinterpret_cast<std::uintptr_t>(this)) + extension) {}
    ~GdalMemoryFile() {
        VSIUnlink(name_.c_str());
        VSIUnlink((name_ + ".aux.xml").c_str());
    }
    GdalMemoryFile(const GdalMemoryFile&) = delete;
    GdalMemoryFile& operator=(const GdalMemoryFile&) = delete;

    [[nodiscard]] const char* name() const noexcept { return name_.c_str(); }
    /// The content, until the file changes; empty if there is no file.
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
        vsi_l_offset size = 0;
        const GByte* data = VSIGetMemFileBuffer(name_.c_str(), &size, FALSE);
        return {reinterpret_cast<const std::byte*>(data), static_cast<std::size_t>(size)};
    }

private:
    std::string name_;
};

} // namespace pollard
