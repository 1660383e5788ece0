// How much memory a text of JSON may take is known before it is taken.
#include "json/json_members.hpp"

#include "base/error.hpp"
#include "recipe/recipe.hpp"
#include "session/session.hpp"
#include "snake/contour/contour_files.hpp"
#include "support/random_images.hpp"
#include "support/temp_dir.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace pollard {
namespace {

using ::testing::HasSubstr;
using testing::Random;

constexpr JsonLimits kRoomy{64, std::uint64_t{1} << 40U};

std::uint64_t held = 0;
std::uint64_t peak = 0;

template <class T> struct CountingAllocator {
    using value_type = T;
    CountingAllocator() = default;
    template <class U> explicit(false) CountingAllocator(const CountingAllocator<U>& /*other*/) noexcept {}
    [[nodiscard]] T* allocate(std::size_t count) {
        held += count * sizeof(T);
        peak = std::max(peak, held);
        return std::allocator<T>().allocate(count);
    }
    void deallocate(T* place, std::size_t count) noexcept {
        held -= count * sizeof(T);
        std::allocator<T>().deallocate(place, count);
    }
    template <class U> bool operator==(const CountingAllocator<U>& /*other*/) const noexcept { return true; }
};

using CountedJson = nlohmann::basic_json<std::map, std::vector, std::string, bool, std::int64_t, std::uint64_t, double,
                                         CountingAllocator>;

/// The most bytes that a tree of the text holds while it is made.
std::uint64_t peakOf(const std::string& text) {
    held = peak = 0;
    const CountedJson tree = CountedJson::parse(text);
    return tree.is_discarded() ? 0 : peak;
}

std::string randomJson(Random& random, int depth) {
    const auto kind = random() % (depth > 0 ? 8U : 6U);
    switch (kind) {
    case 0:
        return "null";
    case 1:
        return "true";
    case 2:
        return std::to_string(random());
    case 3:
        return "-1.5e3";
    case 4:
        return '"' + std::string(random() % 40, 'x') + '"';
    case 5:
        return "[]";
    default:
        break;
    }
    std::string text(1, kind == 6 ? '[' : '{');
    const std::uint32_t members = random() % 12;
    for (std::uint32_t i = 0; i < members; ++i) {
        text += i > 0 ? "," : "";
        text += kind == 7 ? "\"k" + std::to_string(i) + "\":" : "";
        text += randomJson(random, depth - 1);
    }
    return text + (kind == 6 ? ']' : '}');
}

std::string repeated(const std::string& open, const std::string& piece, std::size_t count, const std::string& close) {
    std::string text = open;
    text.reserve(open.size() + count * piece.size() + close.size());
    for (std::size_t i = 0; i < count; ++i) {
        text += piece;
    }
    return text + close;
}

template <class Function> Error errorOf(const Function& function) {
    try {
        function();
    } catch (const Error& error) {
        return error;
    }
    return {ErrorCode::writeFailed, "no error"};
}

TEST(JsonWeight, IsNeverLessThanWhatTheTreeTakes) {
    Random random(3);
    for (int i = 0; i < 300; ++i) {
        const std::string text = randomJson(random, 6);
        EXPECT_GE(jsonWeight(text, "test", kRoomy), peakOf(text)) << text;
    }
    for (std::size_t count = 1; count < 3000; count += count / 3 + 1) { // wherever the growth of a list stops
        for (const char* piece : {"0,", "[],", "{},", "\"text\",", "{\"a\":1},"}) {
            const std::string text = repeated("[", piece, count, "0]");
            EXPECT_GE(jsonWeight(text, "test", kRoomy), peakOf(text)) << count << piece;
        }
    }
}

TEST(JsonWeight, OfNumbersIsProportional) {
    const auto weight = [](std::size_t count) { return jsonWeight(repeated("[", "7,", count, "7]"), "t", kRoomy); };
    EXPECT_EQ(weight(2000) - weight(1000), 1000 * (weight(2) - weight(1)));
    EXPECT_LE(weight(1000), 4 * peakOf(repeated("[", "7,", 1000, "7]"))) << "what is honest is not refused";
}

TEST(JsonWeight, IsAskedBeforeThereIsATree) {
    const JsonLimits limits{8, 1U << 20U};
    // Each ends with a syntax error, which a parser that built the tree first would report.
    for (const std::string& hostile :
         {repeated("[", "0,", 100'000, "!"), repeated("[", "{},", 50'000, "!"), repeated("[", "[],", 50'000, "!"),
          repeated("[", "\"\",", 50'000, "!"), repeated("{", "\"a\":0,", 50'000, "!"),
          "\"" + std::string(2U << 20U, 'x') + "\"!"}) {
        const Error error = errorOf([&] { (void)parseJson(hostile, "test", limits); });
        EXPECT_EQ(error.code(), ErrorCode::limitExceeded) << hostile.substr(0, 10) << error.what();
        EXPECT_THAT(error.what(), HasSubstr("test: its values would take more than 1 MiB of memory"));
    }
    const std::string deep = repeated("", "[", 1'000'000, "!");
    EXPECT_THAT(errorOf([&] { (void)parseJson(deep, "test", limits); }).what(), HasSubstr("more than 8 deep"));
    EXPECT_THAT(errorOf([&] { (void)parseJson("[0, 1", "test", limits); }).what(), HasSubstr("no JSON"));
    EXPECT_EQ(parseJson("[[[[[[[[1]]]]]]]]", "test", limits).size(), 1U);
}

TEST(JsonWeight, BoundsEveryFileOfTheProgram) {
    const std::string lists = repeated("{\"docks\":[", "[],", 8'000'000, "0]}");
    EXPECT_EQ(errorOf([&] { (void)parseSession(lists); }).code(), ErrorCode::limitExceeded);
    EXPECT_EQ(errorOf([&] { (void)parseRecipe(lists); }).code(), ErrorCode::limitExceeded);
    EXPECT_EQ(errorOf([&] { (void)contoursIn(lists); }).code(), ErrorCode::limitExceeded);
    const std::string deep = repeated("", "[", 1'000'000, "");
    EXPECT_THAT(errorOf([&] { (void)contoursIn(deep); }).what(), HasSubstr("deep"));
}

TEST(JsonWeight, OfASessionThatCouldNotBeReadAgainIsNotWritten) {
    SavedSession session;
    session.contours.masks.push_back({17'000'000, 1, std::vector<std::uint32_t>(17'000'000, 1)});
    const test::TempDir folder;
    const std::filesystem::path path = folder / "too_large.pollard";
    const Error error = errorOf([&] { saveSession(session, path); });
    EXPECT_EQ(error.code(), ErrorCode::limitExceeded) << error.what();
    EXPECT_THAT(error.what(), HasSubstr(path.string()));
    EXPECT_EQ(folder.entries(), 0U);
}

} // namespace
} // namespace pollard
