#pragma once

#include "core/io/io_support.hpp"

#include "formats/gdal/gdal_scope.hpp"

#include <array>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <gdal.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// Files that GDAL writes.

namespace pollard::test {

/// An image in memory, on the map of UTM zone 32 N unless it is to have no place.
struct GdalImage {
    int width = 23;
    int height = 17;
    int bands = 1;
    GDALDataType type = GDT_Byte;
    bool onMap = true;
    std::function<double(int band, int x, int y)> value = [](int band, int x, int y) {
        return (x * 7 + y * 13 + band * 31) % 120;
    };
    std::function<void(GDALDatasetH)> more = {}; ///< sets further facts

    [[nodiscard]] GdalHandle make() const {
        prepareGdal();
        GdalHandle made(GDALCreate(GDALGetDriverByName("MEM"), "", width, height, bands, type, nullptr));
        for (int b = 0; b < bands; ++b) {
            std::vector<double> values;
            for (int i = 0; i < width * height; ++i) {
                values.push_back(value(b, i % width, i / width));
            }
            EXPECT_EQ(GDALRasterIO(GDALGetRasterBand(made.get(), b + 1), GF_Write, 0, 0, width, height, values.data(),
                                   width, height, GDT_Float64, 0, 0),
                      CE_None);
        }
        if (onMap) {
            std::array<double, 6> transform{500'000, 10, 0, 5'600'000, 0, -10};
            GDALSetGeoTransform(made.get(), transform.data());
            GDALSetProjection(made.get(), utm().c_str());
        }
        if (more) {
            more(made.get());
        }
        return made;
    }

    static std::string utm() {
        return R"(PROJCS["WGS 84 / UTM zone 32N",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,)"
               R"(AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0],UNIT["degree",)"
               R"(0.0174532925199433],AUTHORITY["EPSG","4326"]],PROJECTION["Transverse_Mercator"],)"
               R"(PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",9],PARAMETER["scale_factor",0.9996],)"
               R"(PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1],)"
               R"(AUTHORITY["EPSG","32632"]])";
    }
};

/// Writes files that GDAL made in its memory, where all drivers can write, into a folder.
inline void takeFiles(const std::filesystem::path& memory, const std::filesystem::path& folder) {
    const CPLStringList names(VSIReadDir(memory.c_str()));
    for (int i = 0; i < names.size(); ++i) {
        vsi_l_offset size = 0;
        const std::unique_ptr<GByte, void (*)(void*)> bytes(
            VSIGetMemFileBuffer((memory / names[i]).c_str(), &size, TRUE), VSIFree);
        writeBytes(folder / names[i], std::string(reinterpret_cast<const char*>(bytes.get()), size));
    }
    VSIRmdirRecursive(memory.c_str());
}

/// Writes a copy of an image with its sidecar files and with overviews of these factors. @returns whether the driver
/// can
inline bool copyTo(const std::string& driver, GDALDatasetH image, const std::filesystem::path& path,
                   const std::vector<const char*>& options = {}, std::vector<int> factors = {}) {
    GDALDriverH writer = GDALGetDriverByName(driver.c_str());
    if (writer == nullptr) {
        return false;
    }
    const std::filesystem::path memory = "/vsimem/" + driver;
    std::vector<const char*> ended = options;
    ended.push_back(nullptr);
    GdalFolder folder(path.parent_path());
    const GdalScope scope(folder); // outside of scopes GDAL has no tags of GeoTIFF
    GdalHandle made(GDALCreateCopy(writer, (memory / path.filename()).c_str(), image, FALSE,
                                   const_cast<char**>(ended.data()), nullptr, nullptr));
    const bool done = made != nullptr;
    if (done && !factors.empty()) {
        EXPECT_EQ(GDALBuildOverviews(made.get(), "NEAREST", static_cast<int>(factors.size()), factors.data(), 0,
                                     nullptr, nullptr, nullptr),
                  CE_None);
    }
    made.reset();
    takeFiles(memory, path.parent_path());
    return done;
}

/// A GeoTIFF with the pixels and facts that GDAL reads from a file.
inline void translate(const std::string& name, const std::filesystem::path& tiff,
                      const std::vector<const char*>& options = {}) {
    const GdalHandle from(GDALOpenEx(name.c_str(), GDAL_OF_RASTER, nullptr, nullptr, nullptr));
    ASSERT_NE(from, nullptr) << CPLGetLastErrorMsg();
    ASSERT_TRUE(copyTo("GTiff", from.get(), tiff, options));
}

/// A file of netCDF 4, which is one of HDF5, with two arrays of different sizes.
inline bool writeArrays(const std::filesystem::path& path) {
    prepareGdal();
    GDALDriverH driver = GDALGetDriverByName("netCDF");
    GDALDatasetH made =
        driver == nullptr ? nullptr : GDALCreateMultiDimensional(driver, path.c_str(), nullptr, nullptr);
    if (made == nullptr) {
        return false;
    }
    GDALGroupH root = GDALDatasetGetRootGroup(made);
    const std::array<std::pair<const char*, std::array<GUInt64, 2>>, 2> arrays{
        {{"first", {17, 23}}, {"second", {5, 8}}}};
    for (const auto& [name, sides] : arrays) {
        std::array<GDALDimensionH, 2> axes{};
        for (std::size_t i = 0; i < 2; ++i) {
            axes[i] = GDALGroupCreateDimension(root, (name + std::string(i == 0 ? "_y" : "_x")).c_str(), nullptr,
                                               nullptr, sides[i], nullptr);
        }
        GDALExtendedDataTypeH type = GDALExtendedDataTypeCreate(GDT_UInt16);
        GDALMDArrayH array = GDALGroupCreateMDArray(root, name, 2, axes.data(), type, nullptr);
        std::vector<std::uint16_t> values;
        for (std::size_t i = 0; i < sides[0] * sides[1]; ++i) {
            values.push_back(static_cast<std::uint16_t>(i * 3 % 1000 + sides[1]));
        }
        const std::array<GUInt64, 2> start{};
        const std::array<size_t, 2> count{sides[0], sides[1]};
        EXPECT_NE(GDALMDArrayWrite(array, start.data(), count.data(), nullptr, nullptr, type, values.data(),
                                   values.data(), values.size() * 2),
                  0);
        GDALMDArrayRelease(array);
        GDALExtendedDataTypeRelease(type);
        for (GDALDimensionH axis : axes) {
            GDALDimensionRelease(axis);
        }
    }
    GDALGroupRelease(root);
    GDALClose(made);
    return std::filesystem::exists(path);
}

} // namespace pollard::test
