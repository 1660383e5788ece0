#include "formats/gdal/gdal_virtual_raster.hpp"

#include "base/error.hpp"
#include "io/metadata/fact_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace pollard {

namespace {

constexpr std::size_t kMostLevels = 16;
constexpr std::uint64_t kMostSources = 1'000'000;
constexpr std::uintmax_t kMostBytes = 64ULL << 20;

/// A virtual raster and those in which it is a source, the outermost first.
using Nested = std::vector<std::filesystem::path>;

std::uint64_t sourcesOf(Nested& nested, std::map<std::filesystem::path, std::uint64_t>& counted);

/// Sources that a file adds to those of the virtual raster that names it.
std::uint64_t sourcesOfNamed(const pugi::xml_node& node, Nested& nested,
                             std::map<std::filesystem::path, std::uint64_t>& counted) {
    const std::string_view text = node.text().get();
    if (isGdalDescription(text)) {
        throw Error(ErrorCode::formatUnsupported, "the virtual raster " + nested.back().filename().string() +
                                                      " refers to " + factText(text) + " in place of a file");
    }
    std::filesystem::path named = text;
    if (node.attribute("relativeToVRT").as_bool()) {
        named = nested.back().parent_path() / named;
    }
    std::error_code failed;
    const std::filesystem::path file = std::filesystem::canonical(named, failed);
    if (failed || !isVirtualRaster(file)) {
        return 1;
    }
    nested.push_back(file);
    const std::uint64_t sources = sourcesOf(nested, counted);
    nested.pop_back();
    return sources;
}

struct NamedFiles final : pugi::xml_tree_walker {
    bool for_each(pugi::xml_node& node) override {
        constexpr std::array<std::string_view, 2> kNames{"SourceFilename", "SourceDataset"};
        if (std::find(kNames.begin(), kNames.end(), node.name()) != kNames.end()) {
            found.push_back(node);
        }
        return true;
    }
    std::vector<pugi::xml_node> found;
};

std::uint64_t sourcesOf(Nested& nested, std::map<std::filesystem::path, std::uint64_t>& counted) {
    const std::filesystem::path file = nested.back();
    if (const auto known = counted.find(file); known != counted.end()) {
        return known->second;
    }
    const std::string name = file.filename().string();
    if (std::find(nested.begin(), nested.end() - 1, file) != nested.end() - 1) {
        throw Error(ErrorCode::limitExceeded, "the virtual raster " + name + " is a source of itself");
    }
    if (nested.size() > kMostLevels) {
        throw Error(ErrorCode::limitExceeded, "more than " + std::to_string(kMostLevels) +
                                                  " levels of virtual rasters, the innermost is " + name);
    }
    std::error_code failed;
    if (std::filesystem::file_size(file, failed) > kMostBytes || failed) {
        throw Error(ErrorCode::limitExceeded,
                    "the virtual raster " + name + " has more than " + std::to_string(kMostBytes) + " bytes");
    }
    pugi::xml_document document;
    if (const auto parsed = document.load_file(file.c_str()); !parsed) {
        throw Error(ErrorCode::fileDamaged, "the virtual raster " + name + " is not XML: " + parsed.description());
    }
    NamedFiles named;
    document.traverse(named);
    std::uint64_t sources = 0;
    for (const pugi::xml_node& node : named.found) {
        sources += sourcesOfNamed(node, nested, counted);
        if (sources > kMostSources) {
            throw Error(ErrorCode::limitExceeded,
                        "the virtual raster " + name + " has more than " + std::to_string(kMostSources) + " sources");
        }
    }
    counted.emplace(file, sources);
    return sources;
}

} // namespace

bool isGdalDescription(std::string_view name) {
    const std::size_t colon = name.find(':');
    const auto isWord = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    return name.starts_with('<') ||
           (colon != std::string_view::npos && colon > 0 && std::all_of(name.begin(), name.begin() + colon, isWord));
}

bool isVirtualRaster(const std::filesystem::path& file) {
    // As GDAL: anywhere in the first bytes.
    std::array<char, 1024> head{};
    std::ifstream stream(file, std::ios::binary);
    stream.read(head.data(), head.size());
    return std::string_view(head.data(), static_cast<std::size_t>(stream.gcount())).find("<VRTDataset") !=
           std::string_view::npos;
}

std::uint64_t countSources(const std::filesystem::path& file, std::map<std::filesystem::path, std::uint64_t>& counted) {
    Nested nested{std::filesystem::weakly_canonical(file)};
    return sourcesOf(nested, counted);
}

} // namespace pollard
