// Object files: ImageJ regions and label images, read back.

#include "base/error.hpp"
#include "components/components.hpp"
#include "components/objects/object_files.hpp"
#include "components/outline_files/outlines.hpp"
#include "components/shape/object_edges.hpp"
#include "components/threshold.hpp"
#include "io/image_file.hpp"
#include "io/write/imagej_roi.hpp"
#include "io/write/text_file.hpp"
#include "support/random_images.hpp"
#include "support/temp_dir.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <tiffio.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

namespace pollard::testing {
namespace {

using Bytes = std::vector<unsigned char>;

class ObjectFiles : public ::testing::Test {
protected:
    test::TempDir folder;

    static Bytes readAll(const std::filesystem::path& path) {
        std::ifstream stream(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
};

std::uint32_t little(const Bytes& bytes, std::size_t at, int count) {
    std::uint32_t value = 0;
    for (int i = count - 1; i >= 0; --i) {
        value = value << 8U | bytes.at(at + static_cast<std::size_t>(i));
    }
    return value;
}
std::uint32_t big(const Bytes& bytes, std::size_t at, int count) {
    std::uint32_t value = 0;
    for (int i = 0; i < count; ++i) {
        value = value << 8U | bytes.at(at + static_cast<std::size_t>(i));
    }
    return value;
}

/// CRC-32 bit by bit.
std::uint32_t slowCrc(const Bytes& bytes) {
    std::uint32_t value = ~0U;
    for (const unsigned char byte : bytes) {
        value ^= byte;
        for (int bit = 0; bit < 8; ++bit) {
            value = value >> 1U ^ ((value & 1U) != 0 ? 0xedb88320U : 0U);
        }
    }
    return ~value;
}

/// Reads the files of an archive from its directory; local headers must agree.
std::vector<std::pair<std::string, Bytes>> unzip(const Bytes& zip) {
    std::vector<std::pair<std::string, Bytes>> files;
    const std::size_t end = zip.size() - 22;
    EXPECT_EQ(little(zip, end, 4), 0x06054b50U);
    const std::uint32_t count = little(zip, end + 10, 2);
    std::size_t at = little(zip, end + 16, 4);
    EXPECT_EQ(at + little(zip, end + 12, 4), end);
    for (std::uint32_t i = 0; i < count; ++i) {
        EXPECT_EQ(little(zip, at, 4), 0x02014b50U);
        const std::uint32_t nameLength = little(zip, at + 28, 2);
        const std::uint32_t size = little(zip, at + 24, 4);
        const std::size_t local = little(zip, at + 42, 4);
        const std::string name(zip.begin() + static_cast<std::ptrdiff_t>(at + 46),
                               zip.begin() + static_cast<std::ptrdiff_t>(at + 46 + nameLength));
        EXPECT_EQ(little(zip, at + 10, 2), 0U) << "stored";
        EXPECT_EQ(little(zip, local, 4), 0x04034b50U);
        for (const auto& [here, there] : {std::pair{16, 14}, {20, 18}, {24, 22}}) { // CRC and both sizes
            EXPECT_EQ(little(zip, at + static_cast<std::size_t>(here), 4),
                      little(zip, local + static_cast<std::size_t>(there), 4));
        }
        const std::size_t start = local + 30 + little(zip, local + 26, 2) + little(zip, local + 28, 2);
        const Bytes content(zip.begin() + static_cast<std::ptrdiff_t>(start),
                            zip.begin() + static_cast<std::ptrdiff_t>(start + size));
        EXPECT_EQ(slowCrc(content), little(zip, at + 16, 4));
        files.emplace_back(name, content);
        at += 46 + nameLength;
    }
    EXPECT_EQ(at, end);
    return files;
}

using Ring = std::vector<std::pair<double, double>>;

/// The rings of a region, parsed as in ImageJ's decoder.
std::vector<Ring> ringsOf(const Bytes& roi) {
    EXPECT_EQ(std::memcmp(roi.data(), "Iout", 4), 0);
    const std::uint32_t top = big(roi, 8, 2);
    const std::uint32_t left = big(roi, 10, 2);
    const std::uint32_t composite = big(roi, 36, 4);
    std::vector<Ring> rings;
    if (composite == 0) {
        EXPECT_EQ(roi.at(6), 8) << "traced";
        const std::uint32_t corners = big(roi, 16, 2);
        EXPECT_EQ(roi.size(), 64 + 4 * corners);
        rings.emplace_back();
        for (std::size_t i = 0; i < corners; ++i) {
            rings.back().emplace_back(left + big(roi, 64 + 2 * i, 2), top + big(roi, 64 + 2 * (corners + i), 2));
        }
        return rings;
    }
    EXPECT_EQ(roi.at(6), 1) << "a rectangle, as the decoder wants it";
    EXPECT_EQ(roi.size(), 64 + 4 * composite);
    const auto number = [&](std::size_t i) { return std::bit_cast<float>(big(roi, 64 + 4 * i, 4)); };
    for (std::size_t i = 0; i < composite;) {
        if (number(i) == 4) {
            ++i;
            continue;
        }
        if (number(i) == 0) {
            rings.emplace_back();
        } else {
            EXPECT_EQ(number(i), 1);
        }
        rings.back().emplace_back(number(i + 1), number(i + 2));
        i += 3;
    }
    return rings;
}

/// Whether a position is inside by the even-odd rule.
bool inside(const std::vector<Ring>& rings, double x, double y) {
    bool in = false;
    for (const Ring& ring : rings) {
        for (std::size_t i = 0; i < ring.size(); ++i) {
            const auto& [ax, ay] = ring[i];
            const auto& [bx, by] = ring[(i + 1) % ring.size()];
            if (ax == bx && ax < x && std::min(ay, by) < y && y < std::max(ay, by)) {
                in = !in;
            }
        }
    }
    return in;
}

TEST_F(ObjectFiles, RegionsEncloseTheirObjects) {
    Random random(91);
    for (int repeat = 0; repeat < 40; ++repeat) {
        const auto grey =
            makeImage(PixelType::u8, 1 + random() % 30, 1 + random() % 30, [&](auto, auto) { return random() % 256; });
        const Connectivity connectivity = repeat % 2 == 0 ? Connectivity::four : Connectivity::eight;
        const Components found = labelComponents(thresholdMask(*grey, 90, 255, nullptr), grey.get(),
                                                 {.connectivity = connectivity, .algorithm = {}});
        std::vector<std::uint32_t> labels = allLabels(found);
        std::erase_if(labels, [&](std::uint32_t) { return random() % 4 == 0; });
        for (std::size_t i = 1; i < labels.size(); ++i) {
            std::swap(labels[i], labels[random() % (i + 1)]);
        }
        writeObjectRois(folder / "r.zip", found, labels);
        const auto files = unzip(readAll(folder / "r.zip"));
        ASSERT_EQ(files.size(), labels.size());
        for (std::size_t i = 0; i < files.size(); ++i) {
            const auto& [name, roi] = files[i];
            EXPECT_EQ(std::stoul(name), labels[i]);
            EXPECT_EQ(name.size(), std::to_string(found.count).size() + 4) << "names sort like numbers";
            EXPECT_TRUE(name.ends_with(".roi"));
            const ComponentRecord& object = found.objects[labels[i] - 1];
            EXPECT_EQ(big(roi, 8, 2), object.top);
            EXPECT_EQ(big(roi, 10, 2), object.left);
            EXPECT_EQ(big(roi, 12, 2), object.bottom + 1);
            EXPECT_EQ(big(roi, 14, 2), object.right + 1);
            const std::vector<Ring> rings = ringsOf(roi);
            for (std::uint32_t y = 0; y < grey->height(); ++y) {
                for (std::uint32_t x = 0; x < grey->width(); ++x) {
                    ASSERT_EQ(inside(rings, x + 0.5, y + 0.5), found.labels[y * grey->width() + x] == labels[i]);
                }
            }
        }
    }
}

/// PolygonRoi.getTracedPerimeter() of ImageJ 1.53, which depends on the first corner.
double tracedPerimeter(const Ring& ring) {
    const auto sideTo = [&](std::size_t i) {
        const auto& [x, y] = ring[i % ring.size()];
        const auto& [beforeX, beforeY] = ring[(i + ring.size() - 1) % ring.size()];
        return std::abs(x - beforeX) + std::abs(y - beforeY);
    };
    double sum = 0;
    int corners = 0;
    bool counted = false;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        sum += sideTo(i);
        counted = sideTo(i) > 1 || !counted;
        corners += counted ? 1 : 0;
    }
    return sum - corners * (2 - std::numbers::sqrt2);
}

TEST_F(ObjectFiles, TracedRegionsHaveThePerimeterOfImageJ) {
    Random random(17);
    std::size_t compared = 0;
    for (int repeat = 0; repeat < 20; ++repeat) {
        const auto grey = makeImage(PixelType::u8, 30, 30, [&](auto, auto) { return random() % 256; });
        const Components found = labelComponents(thresholdMask(*grey, 130, 255, nullptr), grey.get(), {});
        const ObjectEdges edges = measureEdges(found, EdgeMeasure::traced);
        writeObjectRois(folder / "r.zip", found, allLabels(found));
        for (const auto& [name, roi] : unzip(readAll(folder / "r.zip"))) {
            const std::vector<Ring> rings = ringsOf(roi);
            if (rings.size() == 1) {
                const auto label = static_cast<std::uint32_t>(std::stoul(name));
                EXPECT_NEAR(tracedPerimeter(rings.front()), edges.of(label).edge->imagejPerimeter, 1e-9) << name;
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 500U);
}

TEST_F(ObjectFiles, RegionsSayWhatTheyCannotHold) {
    Mask dots(65600 * 2 / 100, 200, false);
    for (std::uint32_t y = 0; y < 200; y += 2) {
        for (std::uint32_t x = 0; x < dots.width(); x += 2) {
            dots.set(x, y, true);
        }
    }
    const Components many = labelComponents(dots, nullptr, {});
    ASSERT_GT(many.count, 65535U);
    std::vector<std::uint32_t> labels = allLabels(many);
    EXPECT_THROW(writeObjectRois(folder / "r.zip", many, labels), Error);
    EXPECT_FALSE(std::filesystem::exists(folder / "r.zip"));
    labels.resize(65535);
    writeObjectRois(folder / "r.zip", many, labels);
    EXPECT_EQ(unzip(readAll(folder / "r.zip")).size(), 65535U);
    const Components far = labelComponents(Mask(32768, 1, true), nullptr, {});
    EXPECT_THROW(writeObjectRois(folder / "f.zip", far, allLabels(far)), Error);
    const Components none = labelComponents(Mask(5, 5, false), nullptr, {});
    writeObjectRois(folder / "n.zip", none, {});
    EXPECT_TRUE(unzip(readAll(folder / "n.zip")).empty());
}

/// Objects of a random volume, and some of their labels.
struct RandomObjects {
    Components found;
    std::vector<std::uint32_t> labels;
};

RandomObjects randomObjects(Random& random) {
    constexpr std::array kNeighbours{Connectivity::six, Connectivity::eighteen, Connectivity::twentySix};
    const Extent extent{1 + random() % 12, 1 + random() % 12, 1 + random() % 6};
    Image volume(PixelType::u8, extent);
    for (std::uint8_t& level : volume.pixels<std::uint8_t>()) {
        level = static_cast<std::uint8_t>(random() % 256);
    }
    const Mask mask = thresholdMask(volume, 90, 255, nullptr);
    RandomObjects objects{
        labelComponents(mask, &volume,
                        {.connectivity = kNeighbours[random() % 3], .algorithm = {}, .slices = extent.slices}),
        {}};
    for (std::uint32_t label = 1; label <= objects.found.count; ++label) {
        if (random() % 4 != 0) {
            objects.labels.push_back(label);
        }
    }
    return objects;
}

/// Fails unless the rings of each object and slice enclose its voxels there.
void expectSlices(const RandomObjects& objects,
                  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Ring>> rings) {
    const Extent extent = objects.found.extent();
    for (std::uint32_t slice = 0; slice < extent.slices; ++slice) {
        for (const std::uint32_t label : objects.labels) {
            const std::vector<Ring> own = rings[{label, slice}];
            for (std::uint32_t y = 0; y < extent.height; ++y) {
                for (std::uint32_t x = 0; x < extent.width; ++x) {
                    const std::size_t voxel = (std::size_t{slice} * extent.height + y) * extent.width + x;
                    ASSERT_EQ(inside(own, x + 0.5, y + 0.5), objects.found.labels[voxel] == label)
                        << "object " << label << ", " << x << ' ' << y << ' ' << slice;
                }
            }
            rings.erase({label, slice});
        }
    }
    EXPECT_TRUE(rings.empty()) << "objects that were not asked for";
}

TEST_F(ObjectFiles, RegionsOfVolumesEncloseTheObjectsInTheirSlices) {
    Random random(92);
    for (int repeat = 0; repeat < 40; ++repeat) {
        const RandomObjects objects = randomObjects(random);
        writeObjectRois(folder / "r.zip", objects.found, objects.labels);
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Ring>> rings;
        for (const auto& [name, roi] : unzip(readAll(folder / "r.zip"))) {
            const auto label = static_cast<std::uint32_t>(std::stoul(name));
            const auto slice = static_cast<std::uint32_t>(std::stoul(name.substr(name.find('-') + 1)));
            EXPECT_EQ(big(roi, 56, 4), slice) << "position in the stack";
            ASSERT_TRUE(rings.emplace(std::pair{label, slice - 1}, ringsOf(roi)).second) << name;
        }
        ASSERT_NO_FATAL_FAILURE(expectSlices(objects, std::move(rings)));
    }
}

TEST_F(ObjectFiles, OutlinesOfVolumesEncloseTheObjectsInTheirSlices) {
    Random random(93);
    for (int repeat = 0; repeat < 40; ++repeat) {
        const RandomObjects objects = randomObjects(random);
        TextFile file(folder / "o.geojson", "write outlines");
        writeObjectOutlines(file, objects.found, objects.labels, {}, nullptr, {LengthUnit::micrometre, {0.5, 0.5, 2}});
        file.commit();
        const auto json = nlohmann::json::parse(std::ifstream(folder / "o.geojson"));
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Ring>> rings;
        for (const auto& feature : json.at("features")) {
            const auto& properties = feature.at("properties");
            const auto& geometry = feature.at("geometry");
            const auto label = properties.at("label").get<std::uint32_t>();
            const auto slice = properties.at("slice").get<std::uint32_t>();
            EXPECT_EQ(geometry.at("plane").at("z"), slice);
            EXPECT_DOUBLE_EQ(properties.at("area_um3").get<double>(),
                             0.5 * static_cast<double>(objects.found.objects[label - 1].area));
            std::vector<Ring>& own = rings[{label, slice}];
            ASSERT_TRUE(own.empty()) << "one feature for each object and slice";
            const bool isOne = geometry.at("type") == "Polygon";
            for (const auto& polygon :
                 isOne ? nlohmann::json::array({geometry.at("coordinates")}) : geometry.at("coordinates")) {
                for (const auto& ring : polygon) {
                    own.emplace_back();
                    for (const auto& point : ring) {
                        own.back().emplace_back(point.at(0).get<double>(), point.at(1).get<double>());
                    }
                    ASSERT_EQ(own.back().front(), own.back().back()) << "closed";
                    own.back().pop_back();
                }
            }
        }
        ASSERT_NO_FATAL_FAILURE(expectSlices(objects, std::move(rings)));
    }
}

std::vector<std::uint32_t> valuesIn(const std::filesystem::path& path, int bits) {
    const std::unique_ptr<TIFF, decltype(&TIFFClose)> tiff(TIFFOpen(path.c_str(), "r"), &TIFFClose);
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint16_t depth = 0;
    TIFFGetField(tiff.get(), TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(tiff.get(), TIFFTAG_IMAGELENGTH, &height);
    TIFFGetField(tiff.get(), TIFFTAG_BITSPERSAMPLE, &depth);
    EXPECT_EQ(depth, bits);
    std::vector<std::uint32_t> values;
    Bytes line(static_cast<std::size_t>(TIFFScanlineSize(tiff.get())));
    for (std::uint32_t y = 0; y < height; ++y) {
        EXPECT_EQ(TIFFReadScanline(tiff.get(), line.data(), y), 1);
        for (std::uint32_t x = 0; x < width; ++x) {
            std::uint32_t value = 0;
            std::memcpy(&value, line.data() + static_cast<std::size_t>(bits / 8) * x,
                        static_cast<std::size_t>(bits / 8));
            values.push_back(value);
        }
    }
    return values;
}

TEST_F(ObjectFiles, LabelImagesHaveTheLabelsOfTheChosenObjects) {
    Mask dots(600, 500, false);
    for (std::uint32_t y = 0; y < 500; y += 2) {
        for (std::uint32_t x = 0; x < 600; x += 2) {
            dots.set(x, y, true);
        }
    }
    const Components found = labelComponents(dots, nullptr, {});
    ASSERT_EQ(found.count, 75000U);
    for (const auto& [labels, bits] : {std::pair{std::vector<std::uint32_t>{7, 65535, 2}, 16},
                                       {std::vector<std::uint32_t>{7, 65536}, 32},
                                       {std::vector<std::uint32_t>{}, 16}}) {
        writeObjectLabels(folder / "l.tif", found, labels, {});
        const std::vector<std::uint32_t> values = valuesIn(folder / "l.tif", bits);
        ASSERT_EQ(values.size(), found.labels.size());
        for (std::size_t p = 0; p < values.size(); ++p) {
            const std::uint32_t label = found.labels[p];
            ASSERT_EQ(values[p], std::ranges::find(labels, label) != labels.end() ? label : 0);
        }
    }
}

TEST(Crc32, IsTheOneOfZip) {
    const std::string text = "123456789";
    EXPECT_EQ(crc32Of(std::as_bytes(std::span(text))), 0xcbf43926U);
    EXPECT_EQ(crc32Of({}), 0U);
}

} // namespace
} // namespace pollard::testing
