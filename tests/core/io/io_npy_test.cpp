// NumPy arrays as images, volumes and labels: all types, byte orders and orders of axes; damaged and foreign content.

#include "core/io/io_volume_support.hpp"
#include "io/label_file.hpp"
#include "io/write/npy_writer.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace pollard::test {

namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

/// A file of version 1; 2 and 3 have a length of four bytes.
std::string npy(const std::string& header, const std::string& data, int version = 1) {
    std::string bytes = "\x93NUMPY";
    bytes += static_cast<char>(version);
    bytes += '\0';
    const auto length = static_cast<std::uint32_t>(header.size());
    bytes += version == 1 ? bytesOfNumber(static_cast<std::uint16_t>(length), false) : bytesOfNumber(length, false);
    return bytes + header + data;
}

std::string npy(const std::string& type, bool isFortran, const std::string& shape, const std::string& data,
                int version = 1) {
    return npy("{'descr': '" + type + "', 'fortran_order': " + (isFortran ? "True" : "False") + ", 'shape': (" + shape +
                   "), }   \n",
               data, version);
}

template <class T> std::string npyType(bool bigEndian) {
    return (sizeof(T) == 1 ? "|"
            : bigEndian    ? ">"
                           : "<") +
           std::string(std::is_floating_point_v<T> ? "f"
                       : std::is_signed_v<T>       ? "i"
                                                   : "u") +
           std::to_string(sizeof(T));
}

/// Voxels x, y, z as in Fortran order: z runs fastest.
template <class T> std::vector<T> inFortranOrder(const std::vector<T>& voxels, const VolumeShape& shape) {
    std::vector<T> turned;
    for (std::uint32_t x = 0; x != shape.width; ++x) {
        for (std::uint32_t y = 0; y != shape.height; ++y) {
            for (int z = 0; z != shape.pages; ++z) {
                turned.push_back(voxels[(static_cast<std::size_t>(z) * shape.height + y) * shape.width + x]);
            }
        }
    }
    return turned;
}

TEST(Npy, ReadsEveryVoxelOfEveryTypeByteOrderAndOrderOfAxes) {
    const TempDir dir;
    const VolumeShape shape;
    forEachSampleType([&]<class T>(T) {
        const std::vector<T> voxels = voxelsOf<T>(shape.count());
        for (const bool bigEndian : {false, true}) {
            for (const bool isFortran : {false, true}) {
                SCOPED_TRACE(npyType<T>(bigEndian) + (isFortran ? ", Fortran" : ", C"));
                const std::vector<T> stored = isFortran ? inFortranOrder(voxels, shape) : voxels;
                writeBytes(dir / "v.npy", npy(npyType<T>(bigEndian), isFortran, "3, 4, 5",
                                              bytesOfNumbers<T>(stored, bigEndian), bigEndian ? 2 : 1));
                expectVoxels(
                    dir / "v.npy", shape, [&](std::size_t i) { return static_cast<double>(voxels[i]); },
                    hasOwnLevels<T>());
            }
        }
    });
    EXPECT_THAT(readImageInfo(dir / "v.npy").axes, ElementsAre(StackAxis{'z', 3, {}}));
    EXPECT_EQ(readImageInfo(dir / "v.npy").compression, "none");
}

TEST(Npy, ReadsImagesAndRegions) {
    const TempDir dir;
    writeBytes(dir / "c.npy", npy("|u1", false, "2, 3", "\x01\x02\x03\x04\x05\x06"));
    writeBytes(dir / "f.npy", npy("|u1", true, "2,3", "\x01\x04\x02\x05\x03\x06", 3));
    writeBytes(dir / "b.npy", npy("|b1", false, "1, 2", std::string("\x01\x00", 2)));
    ReadOptions part;
    part.region = PixelRegion{1, 1, 2, 1};
    for (const char* name : {"c.npy", "f.npy"}) {
        EXPECT_THAT(levelsOf(*readImage(dir / name).image), ElementsAre(1, 2, 3, 4, 5, 6)) << name;
        EXPECT_THAT(levelsOf(*readImage(dir / name, part).image), ElementsAre(5, 6)) << name;
    }
    EXPECT_THAT(levelsOf(*readImage(dir / "b.npy").image), ElementsAre(1, 0));
}

TEST(Npy, LabelsKeepTheirNumbers) {
    const TempDir dir;
    const std::vector<std::int64_t> numbers{0, 7, 70'000, 4'000'000'000, 0, 1};
    for (const bool bigEndian : {false, true}) {
        writeBytes(dir / "l.npy", npy(npyType<std::int64_t>(bigEndian), false, "2, 3",
                                      bytesOfNumbers<std::int64_t>(numbers, bigEndian)));
        EXPECT_THAT(readLabels(dir / "l.npy").labels.span(), ElementsAreArray(numbers));
    }
    const std::vector<std::uint32_t> written{0, 1, 2, 70'000, 4, 5, 6, 7, 8, 9, 10, 4'000'000'000};
    writeNpy(dir / "w.npy", measuredRowsOf(written, Extent{2, 3, 2}));
    const StoredLabels read = readLabels(dir / "w.npy", {}, true);
    EXPECT_EQ(read.extent, (Extent{2, 3, 2}));
    EXPECT_THAT(read.labels.span(), ElementsAreArray(written));
}

TEST(Npy, RefusesWhatItCannotRead) {
    const TempDir dir;
    const auto refuse = [&](const std::string& bytes, ErrorCode code, const char* part) {
        writeBytes(dir / "b.npy", bytes);
        std::string message;
        EXPECT_EQ(readFailure(dir / "b.npy", {}, &message), code) << message;
        EXPECT_THAT(message, HasSubstr(part));
    };
    const std::string data(60, '\1');
    const auto type = [&](const std::string& name, const char* part) {
        refuse(npy(name, false, "3, 4", data), ErrorCode::formatUnsupported, part);
    };
    type("|O", R"("|O")"); // Python objects
    type("<c8", R"("<c8")");
    type("<f2", R"("<f2")");
    type("<U4", R"("<U4")");
    type("<i3", R"("<i3")");
    refuse(npy("{'descr': [('id', '<u4')], 'fortran_order': False, 'shape': (3, 4), }", data),
           ErrorCode::formatUnsupported, "type");
    refuse(npy("|u1", false, "12,", data), ErrorCode::formatUnsupported, "arrays of 1 axes");
    refuse(npy("|u1", false, "1, 2, 3, 4", data), ErrorCode::formatUnsupported, "arrays of 4 axes");
    refuse(npy("|u1", false, "-3, 4", data), ErrorCode::fileDamaged, "the size -3");
    refuse(npy("|u1", false, "0, 4", data), ErrorCode::fileDamaged, "4 x 0 voxels");
    refuse(npy("{'shape': (3, 4), 'fortran_order': False}", data), ErrorCode::fileDamaged, "no 'descr'");
    refuse(npy("{'descr': '|u1', 'shape': (3, 4), 'fortran_order': 1}", data), ErrorCode::fileDamaged, "fortran_order");
    refuse(npy("|u1", false, "3, 4", data, 4), ErrorCode::formatUnsupported, "the version 4");
    refuse(npy(std::string(70'000, ' '), data, 2), ErrorCode::formatUnsupported, "64 KiB");
    for (const bool isFortran : {false, true}) {
        refuse(npy("<i8", isFortran, "3, 4", data), ErrorCode::fileDamaged, "cut off");
        refuse(npy("<i8", isFortran, "1000000, 1000000, 1000000", data), ErrorCode::fileDamaged, "cut off");
        expectPrefixesRefused(dir, "p.npy", npy("<u2", isFortran, "2, 3, 5", data));
    }
}

} // namespace

} // namespace pollard::test
