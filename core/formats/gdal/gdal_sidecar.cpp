#include "formats/gdal/gdal_sidecar.hpp"

#include "base/error.hpp"
#include "formats/gdal/gdal_dataset.hpp"
#include "formats/gdal/gdal_handles.hpp"
#include "io/read_support.hpp"

#include <array>
#include <string>

namespace pollard {

namespace {

/// The coordinate system in a file of ESRI; null if it is not known.
GdalSystem systemIn(const std::filesystem::path& file) {
    constexpr std::size_t kMostBytes = 65536;
    std::string text(kMostBytes, '\0');
    const FilePointer stream = openForReading(file);
    text.resize(std::fread(text.data(), 1, text.size(), stream.get()));
    GdalSystem system(OSRNewSpatialReference(nullptr));
    std::array<char*, 2> lines{text.data(), nullptr};
    if (system && OSRImportFromESRI(system.get(), lines.data()) != OGRERR_NONE) {
        system.reset();
    }
    return system;
}

} // namespace

std::vector<CopiedTag> gdalPlace(const SourceFile& source, const std::filesystem::path& system) {
    GdalDataset dataset;
    try {
        dataset = GdalDataset::open(source, {});
    } catch (const Error& error) {
        if (error.code() == ErrorCode::formatUnsupported || error.code() == ErrorCode::fileDamaged) {
            return {};
        }
        throw;
    }
    const GdalSystem stated = system.empty() ? nullptr : systemIn(system);
    return gdalTags(dataset, stated.get());
}

} // namespace pollard
