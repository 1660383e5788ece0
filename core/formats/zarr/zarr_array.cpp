#include "formats/zarr/zarr_array.hpp"

#include "base/error.hpp"
#include "io/read_support.hpp"
#include "io/samples/row_sink.hpp"
#include "json/json_members.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace pollard {

namespace {

using Json = nlohmann::json;
using Pattern = std::array<std::byte, 8>;

template <class T> Pattern patternOf(T value) {
    Pattern pattern{};
    std::memcpy(pattern.data(), &value, sizeof(T));
    return pattern;
}

template <class Real, class Bits> Pattern realIn(const Json& value, const JsonPlace& place) {
    if (value.is_number()) {
        return patternOf(static_cast<Real>(value.get<double>()));
    }
    const std::string text = textIn(value, place);
    if (text == "NaN") {
        return patternOf(std::numeric_limits<Real>::quiet_NaN());
    }
    if (text == "Infinity" || text == "-Infinity") {
        const Real infinity = std::numeric_limits<Real>::infinity();
        return patternOf(text.front() == '-' ? -infinity : infinity);
    }
    Bits bits = 0;
    const char* end = text.data() + text.size();
    if (!text.starts_with("0x") || text.size() != 2 + 2 * sizeof(Bits) ||
        std::from_chars(text.data() + 2, end, bits, 16).ptr != end) {
        place.fail(shownJson(value) + ": expected a number, NaN, Infinity, -Infinity or the bits of a number");
    }
    return patternOf(bits);
}

template <class T> bool isValueOf(const Json& value) {
    if (value.is_number_unsigned()) {
        return value.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<T>::max());
    }
    if (value.is_number_integer()) { // below 0
        return std::is_signed_v<T> &&
               value.get<std::int64_t>() >= static_cast<std::int64_t>(std::numeric_limits<T>::lowest());
    }
    if (!value.is_number_float()) {
        return false;
    }
    const double number = value.get<double>(); // 2^63 and 2^64 do not fit, although the largest integers round to them
    return std::floor(number) == number && number >= static_cast<double>(std::numeric_limits<T>::lowest()) &&
           number < std::ldexp(1.0, std::numeric_limits<T>::digits);
}

template <class T> Pattern wholeIn(const Json& value, const JsonPlace& place) {
    if (!isValueOf<T>(value)) {
        place.fail(shownJson(value) + ": is no value of the samples' type");
    }
    return patternOf(value.get<T>());
}

/// The sample of missing chunks from its JSON form in Zarr 2 and 3: a number, "NaN", "Infinity", "-Infinity" or the
/// bits of a float, "0x7fc00000". The first bytes of the result are the sample in host byte order.
/// @param bits 8, 16, 32 or 64
/// @throws Error(invalidArgument) for other values and for numbers that the type cannot hold
Pattern zarrFillIn(const Json& value, const JsonPlace& place, SampleKind kind, int bits) {
    if (kind == SampleKind::real) {
        return bits == 32 ? realIn<float, std::uint32_t>(value, place) : realIn<double, std::uint64_t>(value, place);
    }
    const bool isSigned = kind == SampleKind::signedInteger;
    switch (bits) {
    case 8:
        return isSigned ? wholeIn<std::int8_t>(value, place) : wholeIn<std::uint8_t>(value, place);
    case 16:
        return isSigned ? wholeIn<std::int16_t>(value, place) : wholeIn<std::uint16_t>(value, place);
    case 32:
        return isSigned ? wholeIn<std::int32_t>(value, place) : wholeIn<std::uint32_t>(value, place);
    default:
        return isSigned ? wholeIn<std::int64_t>(value, place) : wholeIn<std::uint64_t>(value, place);
    }
}

constexpr std::size_t kMostMetadata = std::size_t{64} << 20U; ///< bytes; consolidated metadata are long
constexpr JsonLimits kJsonLimits{32, std::uint64_t{512} << 20U};

[[noreturn]] void refuse(const JsonPlace& place, const std::string& why) {
    throw Error(ErrorCode::formatUnsupported, place.kind + ": " + (place.path.empty() ? "" : place.path + ": ") + why);
}

std::vector<std::uint64_t> sidesIn(const Json& value, const JsonPlace& place, std::size_t axes) {
    constexpr std::uint64_t kMostSide = std::uint64_t{1} << 48U;
    const Json& list = listIn(value, place, ZarrArray::kMostAxes);
    std::vector<std::uint64_t> sides;
    for (const Json& side : list) {
        sides.push_back(wholeIn(side, place.at(sides.size()), 1, kMostSide));
    }
    if (axes != 0 && sides.size() != axes) {
        place.fail(std::to_string(sides.size()) + " sides, but the array has " + std::to_string(axes));
    }
    return sides;
}

std::vector<std::uint64_t> shapeIn(JsonMembers& members) {
    std::vector<std::uint64_t> shape = sidesIn(members.get("shape"), members.at("shape"), 0);
    if (shape.size() < 2) {
        refuse(members.at("shape"),
               "an array of " + std::to_string(shape.size()) + " axes is no image, which has 2 at least");
    }
    return shape;
}

/// The name of an extension, which stands alone or with its configuration.
std::string nameIn(const Json& value, const JsonPlace& place) {
    if (value.is_string()) {
        return lineIn(value, place, 100);
    }
    JsonMembers members(value, place);
    return lineIn(members.get("name"), members.at("name"), 100);
}

const Json& configurationOf(const Json& value) {
    static const Json kNone = Json::object();
    const Json* found = value.is_object() ? memberOf(value, "configuration") : nullptr;
    return found != nullptr && found->is_object() ? *found : kNone;
}

void setType(ZarrArray& array, SampleKind kind, int bits) {
    array.kind = kind;
    array.bits = bits;
}

void setChunk(ZarrArray& array, const Json& value, const JsonPlace& place) {
    constexpr std::uint64_t kMostBytes = (std::uint64_t{1} << 31U) - 1;
    array.chunk = sidesIn(value, place, array.shape.size());
    std::uint64_t bytes = array.sampleBytes();
    for (const std::uint64_t side : array.chunk) {
        if (side > kMostBytes / bytes) {
            throw Error(ErrorCode::limitExceeded,
                        place.kind + ": " + place.path + ": " + shownJson(value) + ": chunks of more than 2 GB");
        }
        bytes *= side;
    }
}

char separatorIn(const Json* value, const JsonPlace& place, char otherwise) {
    if (value == nullptr) {
        return otherwise;
    }
    const std::string text = textIn(*value, place);
    if (text != "." && text != "/") {
        place.fail(shownJson(*value) + ": expected \".\" or \"/\"");
    }
    return text.front();
}

/// "<u2" and the like.
void readType2(ZarrArray& array, ZarrCoding& coding, const Json& value, const JsonPlace& place) {
    const std::string type = value.is_string() ? value.get<std::string>() : std::string();
    const std::string_view last = std::string_view(type).substr(std::min<std::size_t>(1, type.size()));
    const bool isByte = last == "u1" || last == "i1";
    const bool hasOrder = !type.empty() && (type[0] == '<' || type[0] == '>' || (type[0] == '|' && isByte));
    constexpr std::array<std::pair<std::string_view, std::pair<SampleKind, int>>, 10> kTypes = {{
        {"u1", {SampleKind::unsignedInteger, 8}},
        {"u2", {SampleKind::unsignedInteger, 16}},
        {"u4", {SampleKind::unsignedInteger, 32}},
        {"u8", {SampleKind::unsignedInteger, 64}},
        {"i1", {SampleKind::signedInteger, 8}},
        {"i2", {SampleKind::signedInteger, 16}},
        {"i4", {SampleKind::signedInteger, 32}},
        {"i8", {SampleKind::signedInteger, 64}},
        {"f4", {SampleKind::real, 32}},
        {"f8", {SampleKind::real, 64}},
    }};
    const auto* found = std::ranges::find(kTypes, last, [](const auto& each) { return each.first; });
    if (!hasOrder || found == kTypes.end()) {
        refuse(place, shownJson(value) + ": samples of this type are not supported, integers and floats of 32 and 64 "
                                         "bits are");
    }
    setType(array, found->second.first, found->second.second);
    coding.bigEndian = type[0] == '>';
}

ZarrCodec codecNamed(const std::string& name, const JsonPlace& place) {
    constexpr std::string_view kNumcodecs = "numcodecs.";
    constexpr std::array<std::pair<std::string_view, ZarrCodec>, 6> kCodecs = {{
        {"blosc", ZarrCodec::blosc},
        {"crc32c", ZarrCodec::crc32c},
        {"gzip", ZarrCodec::deflate},
        {"lz4", ZarrCodec::lz4},
        {"zlib", ZarrCodec::deflate},
        {"zstd", ZarrCodec::zstd},
    }};
    const std::string_view plain = std::string_view(name).substr(name.starts_with(kNumcodecs) ? kNumcodecs.size() : 0);
    const auto* found = std::ranges::find(kCodecs, plain, [](const auto& each) { return each.first; });
    if (found == kCodecs.end()) {
        refuse(place, shownJson(name) + ": this codec is not supported; blosc, crc32c, gzip, lz4, zlib and zstd are");
    }
    return found->second;
}

void readArray2(const ZarrNode& node, ZarrArray& array) {
    const JsonPlace place{node.metadataKey, {}};
    JsonMembers members(node.metadata, place);
    array.shape = shapeIn(members);
    readType2(array, array.coding, members.get("dtype"), members.at("dtype"));
    setChunk(array, members.get("chunks"), members.at("chunks"));
    if (const Json* fill = memberOf(node.metadata, "fill_value")) {
        array.fill = zarrFillIn(*fill, members.at("fill_value"), array.kind, array.bits);
    }
    array.separator =
        separatorIn(memberOf(node.metadata, "dimension_separator"), members.at("dimension_separator"), '.');
    const std::string order = textIn(members.get("order"), members.at("order"));
    if (order != "C" && order != "F") {
        members.at("order").fail(shownJson(order) + ": expected C or F");
    }
    if (order == "F") {
        array.coding.order.resize(array.shape.size());
        std::iota(array.coding.order.rbegin(), array.coding.order.rend(), std::size_t{0});
    }
    const Json* filters = memberOf(node.metadata, "filters");
    if (filters != nullptr && !(filters->is_array() && filters->empty())) {
        refuse(members.at("filters"), shownJson(*filters) + ": filters are not supported");
    }
    if (const Json* compressor = memberOf(node.metadata, "compressor")) {
        const JsonPlace at = members.at("compressor");
        JsonMembers codec(*compressor, at);
        array.coding.codecs = {codecNamed(lineIn(codec.get("id"), codec.at("id"), 100), at)};
    }
}

void readType3(ZarrArray& array, const Json& value, const JsonPlace& place) {
    constexpr std::array<std::pair<std::string_view, SampleKind>, 3> kKinds = {
        {{"uint", SampleKind::unsignedInteger}, {"int", SampleKind::signedInteger}, {"float", SampleKind::real}}};
    const std::string type = value.is_string() ? value.get<std::string>() : std::string();
    for (const auto& [name, kind] : kKinds) {
        for (const int bits : {8, 16, 32, 64}) {
            if (type == std::string(name) + std::to_string(bits) && (kind != SampleKind::real || bits >= 32)) {
                setType(array, kind, bits);
                return;
            }
        }
    }
    refuse(place, shownJson(value) + ": samples of this type are not supported, integers and floats of 32 and 64 bits "
                                     "are");
}

/// The order of storage after a further permutation of axes.
void transpose(std::vector<std::size_t>& order, const Json& value, const JsonPlace& place, std::size_t axes) {
    const std::vector<std::uint32_t> given = wholesIn(value, place, axes - 1);
    std::vector<std::uint32_t> sorted = given;
    std::ranges::sort(sorted);
    if (given.size() != axes || std::ranges::adjacent_find(sorted) != sorted.end()) {
        place.fail(shownJson(value) + ": is no order of " + std::to_string(axes) + " axes");
    }
    if (order.empty()) {
        order.resize(axes);
        std::iota(order.begin(), order.end(), std::size_t{0});
    }
    const std::vector<std::size_t> before = order;
    std::ranges::transform(given, order.begin(), [&](std::uint32_t axis) { return before[axis]; });
}

/// The content of a list of codecs, with the configuration of the sharding that stands in the place of "bytes".
struct Chain {
    ZarrCoding coding;
    const Json* sharding = nullptr;
    JsonPlace shardingPlace;
};

Chain chainIn(const Json& value, const JsonPlace& place, std::size_t axes, std::size_t sampleBytes) {
    constexpr std::size_t kMostCodecs = 16;
    Chain chain;
    bool isBytes = false;
    std::size_t count = 0;
    for (const Json& codec : listIn(value, place, kMostCodecs)) {
        const JsonPlace at = place.at(count++);
        const std::string name = nameIn(codec, at);
        const Json& configuration = configurationOf(codec);
        if (name == "transpose" && !isBytes) {
            JsonMembers members(configuration, at);
            transpose(chain.coding.order, members.get("order"), members.at("order"), axes);
        } else if ((name == "bytes" || name == "endian") && !isBytes) {
            isBytes = true;
            const Json* endian = memberOf(configuration, "endian");
            if (endian == nullptr && sampleBytes > 1) {
                at.fail("'endian' is missing");
            }
            const std::string order = endian != nullptr ? textIn(*endian, at.at("endian")) : "little";
            if (order != "little" && order != "big") {
                at.at("endian").fail(shownJson(order) + ": expected little or big");
            }
            chain.coding.bigEndian = order == "big";
        } else if (name == "sharding_indexed" && !isBytes) {
            isBytes = true;
            chain.sharding = &configuration;
            chain.shardingPlace = at;
        } else if (!isBytes) {
            refuse(at, shownJson(name) + ": this codec is not supported");
        } else {
            chain.coding.codecs.push_back(codecNamed(name, at));
        }
    }
    if (!isBytes) {
        place.fail("no codec makes bytes of samples");
    }
    return chain;
}

void readShards(ZarrArray& array, const Chain& outer) {
    const JsonPlace& place = outer.shardingPlace;
    if (!outer.coding.codecs.empty() || !outer.coding.order.empty()) {
        refuse(place, "other codecs beside sharding are not supported");
    }
    JsonMembers members(*outer.sharding, place);
    ZarrShards shards;
    shards.shape = array.chunk;
    setChunk(array, members.get("chunk_shape"), members.at("chunk_shape"));
    constexpr std::uint64_t kMostChunks = std::uint64_t{1} << 24U;
    std::uint64_t count = 1;
    for (std::size_t axis = 0; axis < array.shape.size(); ++axis) {
        if (shards.shape[axis] % array.chunk[axis] != 0) {
            members.at("chunk_shape").fail("a shard does not consist of whole chunks");
        }
        const std::uint64_t side = shards.shape[axis] / array.chunk[axis];
        if (side > kMostChunks / count) {
            throw Error(ErrorCode::limitExceeded,
                        place.kind + ": shards of more than the limit of " + std::to_string(kMostChunks) + " chunks");
        }
        count *= side;
    }
    const std::size_t axes = array.shape.size();
    const Chain inner = chainIn(members.get("codecs"), members.at("codecs"), axes, array.sampleBytes());
    const Chain index = chainIn(members.get("index_codecs"), members.at("index_codecs"), axes + 1, 8);
    if (inner.sharding != nullptr || index.sharding != nullptr) {
        refuse(place, "shards in shards are not supported");
    }
    if (!index.coding.order.empty() ||
        std::ranges::any_of(index.coding.codecs, [](ZarrCodec codec) { return codec != ZarrCodec::crc32c; })) {
        refuse(members.at("index_codecs"), "only bytes and crc32c are supported");
    }
    array.coding = inner.coding;
    shards.index = index.coding;
    if (const Json* where = memberOf(*outer.sharding, "index_location")) {
        const std::string text = textIn(*where, members.at("index_location"));
        if (text != "start" && text != "end") {
            members.at("index_location").fail(shownJson(*where) + ": expected start or end");
        }
        shards.indexAtEnd = text == "end";
    }
    array.shards = std::move(shards);
}

void readArray3(const ZarrNode& node, ZarrArray& array) {
    const JsonPlace place{node.metadataKey, {}};
    JsonMembers members(node.metadata, place);
    array.shape = shapeIn(members);
    readType3(array, members.get("data_type"), members.at("data_type"));
    if (const Json* fill = memberOf(node.metadata, "fill_value")) {
        array.fill = zarrFillIn(*fill, members.at("fill_value"), array.kind, array.bits);
    }

    const Json& grid = members.get("chunk_grid");
    if (const std::string name = nameIn(grid, members.at("chunk_grid")); name != "regular") {
        refuse(members.at("chunk_grid"), shownJson(name) + ": only regular grids of chunks are supported");
    }
    const JsonPlace gridPlace = members.at("chunk_grid").at("configuration");
    JsonMembers regular(configurationOf(grid), gridPlace);
    const Chain chain = chainIn(members.get("codecs"), members.at("codecs"), array.shape.size(), array.sampleBytes());
    const Json& sides = regular.get("chunk_shape");
    if (chain.sharding != nullptr) { // a shard may have any size
        array.chunk = sidesIn(sides, regular.at("chunk_shape"), array.shape.size());
        readShards(array, chain);
    } else {
        setChunk(array, sides, regular.at("chunk_shape"));
        array.coding = chain.coding;
    }

    const Json& keys = members.get("chunk_key_encoding");
    const JsonPlace keyPlace = members.at("chunk_key_encoding");
    const std::string encoding = nameIn(keys, keyPlace);
    if (encoding != "default" && encoding != "v2") {
        refuse(keyPlace, shownJson(encoding) + ": expected default or v2");
    }
    const bool isDefault = encoding == "default";
    array.separator = separatorIn(memberOf(configurationOf(keys), "separator"), keyPlace, isDefault ? '/' : '.');
    array.keyPrefix = isDefault ? std::string("c") + array.separator : std::string();
    if (const Json* others = memberOf(node.metadata, "storage_transformers");
        others != nullptr && !(others->is_array() && others->empty())) {
        refuse(members.at("storage_transformers"), "are not supported");
    }
    if (const Json* names = memberOf(node.metadata, "dimension_names")) {
        const JsonPlace list = members.at("dimension_names");
        for (const Json& name : listIn(*names, list, ZarrArray::kMostAxes)) {
            array.axisNames.push_back(name.is_string() ? name.get<std::string>() : std::string());
        }
        if (array.axisNames.size() != array.shape.size()) {
            array.axisNames.clear();
        }
    }
}

Json parsed(const std::string& text, const std::string& key) {
    Json value = parseJson(text, key, kJsonLimits);
    if (!value.is_object()) {
        JsonPlace{key, {}}.fail("expected an object");
    }
    return value;
}

} // namespace

std::size_t ZarrArray::chunkBytes() const noexcept {
    return std::accumulate(chunk.begin(), chunk.end(), sampleBytes(), [](std::size_t bytes, std::uint64_t side) {
        return bytes * static_cast<std::size_t>(side);
    });
}

std::string ZarrArray::keyOf(std::span<const std::uint64_t> numbers) const {
    std::string key = keyPrefix;
    for (std::size_t axis = 0; axis < numbers.size(); ++axis) {
        key += axis > 0 ? std::string(1, separator) : std::string();
        key += std::to_string(numbers[axis]);
    }
    return joinedKey(path, key);
}

std::optional<ZarrNode> readZarrNode(const ZarrStore& store, const std::string& path) {
    ZarrNode node;
    node.path = path;
    node.attributes = Json::object();
    node.metadataKey = joinedKey(path, "zarr.json");
    if (const auto text = textOfKey(store, node.metadataKey, kMostMetadata)) {
        node.version = 3;
        node.metadata = parsed(*text, node.metadataKey);
        JsonMembers members(node.metadata, {node.metadataKey, {}});
        (void)wholeIn(members.get("zarr_format"), members.at("zarr_format"), 3, 3);
        node.isArray = textIn(members.get("node_type"), members.at("node_type")) == "array";
        if (const Json* attributes = memberOf(node.metadata, "attributes"); attributes && attributes->is_object()) {
            node.attributes = *attributes;
        }
        return node;
    }
    node.metadataKey = joinedKey(path, ".zarray");
    const auto array = textOfKey(store, node.metadataKey, kMostMetadata);
    node.isArray = array.has_value();
    if (array) {
        node.metadata = parsed(*array, node.metadataKey);
        JsonMembers members(node.metadata, {node.metadataKey, {}});
        (void)wholeIn(members.get("zarr_format"), members.at("zarr_format"), 2, 2);
    }
    const std::string attributesKey = joinedKey(path, ".zattrs");
    const auto attributes = textOfKey(store, attributesKey, kMostMetadata);
    if (attributes) {
        node.attributes = parsed(*attributes, attributesKey);
    }
    if (!array) {
        node.metadataKey = attributesKey;
        if (!attributes && !store.find(joinedKey(path, ".zgroup"))) {
            return std::nullopt;
        }
    }
    return node;
}

ZarrArray zarrArrayOf(const ZarrNode& node) {
    ZarrArray array;
    array.path = node.path;
    node.version == 3 ? readArray3(node, array) : readArray2(node, array);
    return array;
}

} // namespace pollard
