#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

namespace pollard::test {

inline void writePlatePart(const std::filesystem::path& file, const std::string& bytes) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
}

/// A field of 8 x 6 px, a ramp from @p first on.
inline void writeField(const std::filesystem::path& folder, std::uint8_t first) {
    writePlatePart(folder / ".zarray",
                   R"({"zarr_format": 2, "shape": [6, 8], "chunks": [6, 8], "dtype": "|u1", "compressor": null,)"
                   R"( "fill_value": 0, "order": "C", "filters": null})");
    std::string pixels;
    for (int i = 0; i < 48; ++i) {
        pixels += static_cast<char>(first + i);
    }
    writePlatePart(folder / "0.0", pixels);
}

/// A plate of OME-Zarr 0.4 with the rows A and B and the columns 1 to 12: A/1 with the fields 0 and 1, A/10 and B/2
/// with the field 0, and B/3, which is listed and not there.
inline void writePlate(const std::filesystem::path& plate) {
    std::string columns;
    for (int column = 1; column <= 12; ++column) {
        columns += (column > 1 ? ", " : "") + ("{\"name\": \"" + std::to_string(column) + "\"}");
    }
    writePlatePart(plate / ".zgroup", R"({"zarr_format": 2})");
    writePlatePart(plate / ".zattrs", R"({"plate": {"rows": [{"name": "A"}, {"name": "B"}], "columns": [)" + columns +
                                          R"(], "wells": [{"path": "B/3"}, {"path": "B/2"}, {"path": "A/10"},)"
                                          R"( {"path": "A/1"}]}})");
    for (const char* well : {"A/1", "A/10", "B/2"}) {
        const bool isFirst = std::string(well) == "A/1";
        writePlatePart(plate / well / ".zgroup", R"({"zarr_format": 2})");
        writePlatePart(plate / well / ".zattrs", std::string(R"({"well": {"images": [{"path": "0"})") +
                                                     (isFirst ? R"(, {"path": "1"})" : "") + "]}}");
        writeField(plate / well / "0", isFirst ? 0 : 100);
    }
    writeField(plate / "A/1/1", 50);
}

} // namespace pollard::test
