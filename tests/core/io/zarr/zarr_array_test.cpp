#include "support/zarr_memory.hpp"

#include "base/error.hpp"
#include "formats/zarr/ome_zarr.hpp"
#include "formats/zarr/zarr_array.hpp"

#include <gmock/gmock.h>

#include <cstring>
#include <string>
#include <utility>

namespace pollard::test {

namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

json array2() {
    return {{"zarr_format", 2}, {"shape", {30, 20}}, {"chunks", {8, 9}},   {"dtype", "<u2"},
            {"fill_value", 3},  {"order", "C"},      {"filters", nullptr}, {"compressor", nullptr}};
}

json array3() {
    return {{"zarr_format", 3},
            {"node_type", "array"},
            {"shape", {30, 20}},
            {"data_type", "uint16"},
            {"chunk_grid", {{"name", "regular"}, {"configuration", {{"chunk_shape", {8, 9}}}}}},
            {"chunk_key_encoding", {{"name", "default"}, {"configuration", {{"separator", "/"}}}}},
            {"fill_value", 3},
            {"codecs", json::array({{{"name", "bytes"}, {"configuration", {{"endian", "little"}}}}})}};
}

ZarrArray parsed(const json& metadata) {
    MemoryStore store;
    store.values[metadata.contains("node_type") ? "zarr.json" : ".zarray"] = metadata.dump();
    const auto node = readZarrNode(store, {});
    EXPECT_TRUE(node && node->isArray);
    return zarrArrayOf(*node);
}

std::string problemOf(const json& metadata) {
    try {
        (void)parsed(metadata);
        return {};
    } catch (const Error& error) {
        const std::string text = error.what();
        EXPECT_EQ(text.find('\n'), std::string::npos);
        return text;
    }
}

template <class T> T fillOf(const ZarrArray& array) {
    T value{};
    std::memcpy(&value, array.fill.data(), sizeof value);
    return value;
}

TEST(ZarrArray, ReadsBothVersionsAlike) {
    for (const json& metadata : {array2(), array3()}) {
        const ZarrArray array = parsed(metadata);
        EXPECT_THAT(array.shape, ElementsAre(30U, 20U));
        EXPECT_THAT(array.chunk, ElementsAre(8U, 9U));
        EXPECT_EQ(array.bits, 16);
        EXPECT_EQ(array.kind, SampleKind::unsignedInteger);
        EXPECT_EQ(fillOf<std::uint16_t>(array), 3);
        EXPECT_FALSE(array.coding.bigEndian);
        EXPECT_TRUE(array.coding.codecs.empty() && array.coding.order.empty() && !array.shards);
        EXPECT_EQ(array.chunkBytes(), 8U * 9 * 2);
    }
    const std::vector<std::uint64_t> numbers{3, 12};
    EXPECT_EQ(parsed(array2()).keyOf(numbers), "3.12");
    EXPECT_EQ(parsed(array3()).keyOf(numbers), "c/3/12");
}

TEST(ZarrArray, NamesChunksByTheirEncoding) {
    const std::vector<std::uint64_t> numbers{3, 12};
    const auto keyOf = [&](const json& encoding) {
        json metadata = array3();
        metadata["chunk_key_encoding"] = encoding;
        return parsed(metadata).keyOf(numbers);
    };
    EXPECT_EQ(keyOf("default"), "c/3/12");
    EXPECT_EQ(keyOf({{"name", "default"}, {"configuration", {{"separator", "."}}}}), "c.3.12");
    EXPECT_EQ(keyOf("v2"), "3.12");
    EXPECT_EQ(keyOf({{"name", "v2"}, {"configuration", {{"separator", "/"}}}}), "3/12");
    json old = array2();
    old["dimension_separator"] = "/";
    EXPECT_EQ(parsed(old).keyOf(numbers), "3/12");
}

TEST(ZarrArray, TurnsAxesOneTranspositionAfterTheOther) {
    const std::vector<std::size_t> first{1, 0, 2};
    const std::vector<std::size_t> second{0, 2, 1}; // do not commute
    json metadata = array3();
    metadata["shape"] = metadata["chunk_grid"]["configuration"]["chunk_shape"] = {4, 5, 6};
    json codecs = json::array();
    for (const auto& order : {first, second}) {
        codecs.push_back({{"name", "transpose"}, {"configuration", {{"order", order}}}});
    }
    codecs.push_back(metadata["codecs"][0]);
    metadata["codecs"] = codecs;
    const ZarrArray array = parsed(metadata);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        EXPECT_EQ(array.coding.order.at(axis), first[second[axis]]) << "axis of the array that is stored as " << axis;
    }
    json old = array2();
    old["order"] = "F";
    EXPECT_THAT(parsed(old).coding.order, ElementsAre(1U, 0U));
}

TEST(ZarrArray, ReadsFillValues) {
    const auto fill = [](const char* type, const json& value) {
        json metadata = array3();
        metadata["data_type"] = type;
        metadata["fill_value"] = value;
        return parsed(metadata);
    };
    EXPECT_EQ(fillOf<std::int8_t>(fill("int8", -128)), -128);
    EXPECT_EQ(fillOf<std::uint8_t>(fill("uint8", 255)), 255);
    EXPECT_EQ(fillOf<std::int32_t>(fill("int32", -5.0)), -5);
    EXPECT_EQ(fillOf<std::uint64_t>(fill("uint64", 18446744073709551615ULL)), ~0ULL);
    EXPECT_EQ(fillOf<float>(fill("float32", 0.25)), 0.25F);
    EXPECT_EQ(fillOf<float>(fill("float32", "-Infinity")), -std::numeric_limits<float>::infinity());
    EXPECT_TRUE(std::isnan(fillOf<double>(fill("float64", "NaN"))));
    EXPECT_EQ(fillOf<float>(fill("float32", "0x3e800000")), 0.25F);
    for (const auto& [type, value] :
         std::initializer_list<std::pair<const char*, json>>{{"uint8", 256},
                                                             {"uint8", -1},
                                                             {"int8", 128},
                                                             {"int64", 9223372036854775808ULL},
                                                             {"uint8", 0.5},
                                                             {"uint8", "NaN"},
                                                             {"uint64", 1.8446744073709552e19},
                                                             {"float32", "0x3e8"},
                                                             {"float32", "none"},
                                                             {"float32", true}}) {
        EXPECT_THROW((void)fill(type, value), Error) << type << ' ' << value;
    }
}

TEST(ZarrArray, NamesWhatIsWrong) {
    const auto with = [](json metadata, const char* key, const json& value) {
        metadata[key] = value;
        return problemOf(metadata);
    };
    EXPECT_THAT(with(array2(), "shape", {30, -1}), HasSubstr(".zarray: shape[1]"));
    EXPECT_THAT(with(array2(), "shape", json::array({30})), HasSubstr("no image"));
    EXPECT_THAT(with(array2(), "shape", {1, 1, 1, 1, 1, 1, 1, 1, 1}), HasSubstr("shape"));
    EXPECT_THAT(with(array2(), "chunks", {8}), HasSubstr("chunks"));
    EXPECT_THAT(with(array2(), "chunks", {1 << 20, 1 << 20}), HasSubstr("2 GB"));
    EXPECT_THAT(with(array2(), "dtype", "|O"), HasSubstr("not supported"));
    EXPECT_THAT(with(array2(), "dtype", json::array()), HasSubstr("not supported"));
    EXPECT_THAT(with(array2(), "compressor", {{"id", "bz2"}}), HasSubstr("codec"));
    EXPECT_THAT(with(array2(), "dimension_separator", "-"), HasSubstr("dimension_separator"));
    EXPECT_THAT(with(array3(), "data_type", "complex64"), HasSubstr("zarr.json: data_type"));
    EXPECT_THAT(with(array3(), "data_type", "float16"), HasSubstr("not supported"));
    EXPECT_THAT(with(array3(), "codecs", json::array()), HasSubstr("no codec makes bytes"));
    EXPECT_THAT(with(array3(), "codecs", json::array({{{"name", "bytes"}}})), HasSubstr("'endian' is missing"));
    EXPECT_THAT(with(array3(), "storage_transformers", json::array({"cache"})), HasSubstr("storage_transformers"));
    EXPECT_THAT(with(array3(), "chunk_grid", {{"name", "rectilinear"}}), HasSubstr("regular"));
}

json shards(std::vector<int> chunk) {
    json metadata = array3();
    const json bytes = {{"name", "bytes"}, {"configuration", {{"endian", "little"}}}};
    metadata["codecs"] = json::array({{{"name", "sharding_indexed"},
                                       {"configuration",
                                        {{"chunk_shape", chunk},
                                         {"codecs", json::array({bytes, "zstd"})},
                                         {"index_codecs", json::array({bytes, "crc32c"})}}}}});
    return metadata;
}

TEST(ZarrArray, ReadsShards) {
    const ZarrArray array = parsed(shards({4, 3}));
    ASSERT_TRUE(array.shards);
    EXPECT_THAT(array.chunk, ElementsAre(4U, 3U));
    EXPECT_THAT(array.shards->shape, ElementsAre(8U, 9U));
    EXPECT_THAT(array.coding.codecs, ElementsAre(ZarrCodec::zstd));
    EXPECT_TRUE(array.shards->indexAtEnd);
    EXPECT_THAT(problemOf(shards({3, 3})), HasSubstr("whole chunks"));
    json many = shards({1, 1});
    many["chunk_grid"]["configuration"]["chunk_shape"] = {1U << 30U, 1U << 30U};
    EXPECT_THAT(problemOf(many), HasSubstr("limit"));
    json nested = shards({4, 3});
    nested["codecs"][0]["configuration"]["codecs"] = shards({2, 3})["codecs"];
    EXPECT_THAT(problemOf(nested), HasSubstr("shards in shards"));
}

/// An image of a level, y and x.
json multiscales(const json& axes, const json& scale) {
    return {{"multiscales",
             json::array({{{"version", "0.4"},
                           {"axes", axes},
                           {"datasets", json::array({{{"path", "0"},
                                                      {"coordinateTransformations",
                                                       json::array({{{"type", "scale"}, {"scale", scale}}})}}})}}})}};
}

/// An image of a group with these attributes and arrays "0", "1" ...
OmeZarrImage imageOf(const json& attributes, const std::vector<json>& arrays = {array2()}) {
    MemoryStore store;
    store.values[".zgroup"] = R"({"zarr_format": 2})";
    store.values[".zattrs"] = attributes.dump();
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        store.values[std::to_string(i) + "/.zarray"] = arrays[i].dump();
    }
    return readOmeZarr(store);
}

json arrayOfSides(const std::vector<int>& sides) {
    json array = array2();
    array["shape"] = array["chunks"] = sides;
    return array;
}

std::string axesText(const OmeZarrImage& image) {
    std::string text;
    for (const OmeZarrImage::Axis& axis : image.axes) {
        text += axis.name;
    }
    return text;
}

TEST(OmeZarr, MultipliesTheScalesOfLevelAndImage) {
    json attributes = multiscales({"y", "x"}, {0.25, 0.5});
    attributes["multiscales"][0]["coordinateTransformations"] =
        json::array({{{"type", "scale"}, {"scale", {2, 4}}}, {{"type", "translation"}, {"translation", {7, 7}}}});
    EXPECT_THAT(imageOf(attributes).levels.at(0).scale, ElementsAre(0.5, 2));
    attributes["multiscales"][0]["datasets"][0].erase("coordinateTransformations");
    EXPECT_THAT(imageOf(attributes).levels.at(0).scale, ElementsAre(2, 4));
    attributes["multiscales"][0].erase("coordinateTransformations");
    EXPECT_TRUE(imageOf(attributes).levels.at(0).scale.empty());
}

TEST(OmeZarr, KnowsAxesByTheirTypes) {
    const auto axis = [](const char* name, const char* type) { return json{{"name", name}, {"type", type}}; };
    const json axes = {axis("Frame", "time"), axis("stain", "channel"), axis("z", "space"), axis("y", "space"),
                       axis("x", "space")};
    EXPECT_EQ(axesText(imageOf(multiscales(axes, {1, 1, 1, 1, 1}), {arrayOfSides({2, 3, 4, 5, 6})})), "tczyx");
}

TEST(OmeZarr, HasTheUsualAxesUnlessTheyAreNamed) {
    const auto axesOfImage = [](const std::vector<int>& sides) {
        json attributes = multiscales({}, std::vector<int>(sides.size(), 1));
        attributes["multiscales"][0].erase("axes");
        return axesText(imageOf(attributes, {arrayOfSides(sides)}));
    };
    EXPECT_EQ(axesOfImage({5, 6}), "yx");
    EXPECT_EQ(axesOfImage({4, 5, 6}), "zyx");
    EXPECT_EQ(axesOfImage({2, 3, 4, 5, 6}), "tczyx");
    const auto axesOfArray = [](const std::string& name, const json& metadata) {
        MemoryStore store;
        store.values[name] = metadata.dump();
        return axesText(readOmeZarr(store));
    };
    EXPECT_EQ(axesOfArray(".zarray", arrayOfSides({4, 5, 6})), "pyx") << "an array says nothing about its axes";
    json named = array3();
    named["shape"] = named["chunk_grid"]["configuration"]["chunk_shape"] = {3, 4, 5, 6};
    named["dimension_names"] = {"t", nullptr, "y", "x"};
    EXPECT_EQ(axesOfArray("zarr.json", named), "tpyx");
}

TEST(OmeZarr, RefusesLevelsUnlikeTheFirst) {
    json attributes = multiscales({"c", "y", "x"}, {1, 1, 1});
    json& datasets = attributes["multiscales"][0]["datasets"];
    datasets.push_back({{"path", "1"}});
    const auto problem = [&](const json& second) {
        try {
            (void)imageOf(attributes, {arrayOfSides({3, 20, 30}), second});
            return std::string();
        } catch (const Error& error) {
            return std::string(error.what());
        }
    };
    EXPECT_EQ(problem(arrayOfSides({3, 10, 15})), "");
    EXPECT_THAT(problem(arrayOfSides({3, 10, 31})), HasSubstr("datasets[1]: the sides of 1 do not fit those of 0"));
    EXPECT_THAT(problem(arrayOfSides({2, 10, 15})), HasSubstr("sides")) << "channels are not reduced";
    EXPECT_THAT(problem(arrayOfSides({20, 30})), HasSubstr("axes or samples"));
    json other = arrayOfSides({3, 10, 15});
    other["dtype"] = "<i2";
    EXPECT_THAT(problem(other), HasSubstr("the axes or samples of 1 are not those of 0"));
    other["dtype"] = "|u1";
    EXPECT_THAT(problem(other), HasSubstr("axes or samples"));
}

TEST(OmeZarr, TakesImagesInTheOrderThatTheirGroupStates) {
    MemoryStore store;
    store.values[".zattrs"] = R"({"bioformats2raw.layout": 3})";
    for (const std::string name : {"0", "1", "last"}) {
        store.values[name + "/.zattrs"] = multiscales({"y", "x"}, {1, 1}).dump();
        store.values[name + "/0/.zarray"] = array2().dump();
    }
    EXPECT_THAT(readOmeZarrList(store).paths, ElementsAre("0", "1"));
    store.values["OME/.zattrs"] = R"({"series": ["last", "0"]})";
    EXPECT_THAT(readOmeZarrList(store).paths, ElementsAre("last", "0"));
    const OmeZarrImage image = readOmeZarr(store);
    EXPECT_EQ(image.levels.at(0).array.path, "last/0");
    EXPECT_THAT(image.notes, ElementsAre("shown: last, the first of several images"));
}

TEST(OmeZarr, RefusesGroupsThatFitNoImage) {
    const auto problem = [](const json& attributes) {
        try {
            (void)imageOf(attributes);
            return std::string();
        } catch (const Error& error) {
            return std::string(error.what());
        }
    };
    EXPECT_EQ(problem(multiscales({"y", "x"}, {1, 1})), "");
    EXPECT_THAT(problem(json::object()), HasSubstr("without an image"));
    EXPECT_THAT(problem(multiscales({"x", "y"}, {1, 1})), HasSubstr("the last two must be y and x"));
    EXPECT_THAT(problem(multiscales({"z", "y", "x"}, {1, 1})), HasSubstr("3 axes, but the arrays have 2"));
    EXPECT_THAT(problem(multiscales({"y", "x"}, {1, 1, 1})), HasSubstr("expected 2 numbers"));
    EXPECT_THAT(problem(multiscales({"y", "x"}, {1, "a"})), HasSubstr("scale"));
    json levels = multiscales({"y", "x"}, {1, 1});
    levels["multiscales"][0]["datasets"][0]["path"] = "7";
    EXPECT_THAT(problem(levels), HasSubstr("there is no array 7"));
    EXPECT_THAT(problem({{"multiscales", json::array()}}), HasSubstr("is empty"));
    EXPECT_THAT(problem({{"multiscales", 3}}), HasSubstr("multiscales"));
    EXPECT_THAT(problem({{"plate", {{"wells", json::array({{{"path", "A/1"}}})}}}}), HasSubstr("A/1"));
    // A well that leads to itself.
    EXPECT_THAT(problem({{"labels", json::array({""})}}), HasSubstr("no image"));
}

} // namespace

} // namespace pollard::test
