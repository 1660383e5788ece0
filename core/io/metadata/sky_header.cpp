#include "io/metadata/sky_header.hpp"

#include "base/text.hpp"
#include "io/metadata/fact_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace pollard {

namespace {

constexpr std::size_t kCard = 80;
constexpr std::size_t kKeyword = 8;
constexpr std::size_t kValue = 10; ///< column of values
constexpr std::size_t kNumberEnd = 30;

/// Keywords without the letter of an alternative description; # stands for digits.
constexpr std::array<std::string_view, 56> kKeywords{
    "WCSAXES",  "CRPIX#",   "CRVAL#",   "CDELT#",   "CTYPE#",  "CUNIT#",   "CROTA#",   "PC#_#",
    "PC#",      "CD#_#",    "PV#_#",    "PS#_#",    "CNAME#",  "CRDER#",   "CSYER#",   "WCSNAME",
    "LONPOLE",  "LATPOLE",  "EQUINOX",  "EPOCH",    "RADESYS", "RADECSYS", "SPECSYS",  "SSYSOBS",
    "SSYSSRC",  "VELREF",   "RESTFRQ",  "RESTFREQ", "RESTWAV", "VELOSYS",  "VELANGL",  "ZSOURCE",
    "MJD-OBS",  "DATE-OBS", "MJD-AVG",  "DATE-AVG", "MJDREF",  "TIMESYS",  "OBSGEO-X", "OBSGEO-Y",
    "OBSGEO-Z", "OBSGEO-L", "OBSGEO-B", "OBSGEO-H", "A_ORDER", "B_ORDER",  "AP_ORDER", "BP_ORDER",
    "A_DMAX",   "B_DMAX",   "A_#_#",    "B_#_#",    "AP_#_#",  "BP_#_#",   "WAT#_#",   "WCSDIM"};

bool isDigit(char letter) noexcept { return letter >= '0' && letter <= '9'; }

bool isLike(std::string_view word, std::string_view pattern) noexcept {
    for (const char letter : pattern) {
        if (letter != '#') {
            if (word.empty() || word.front() != letter) {
                return false;
            }
            word.remove_prefix(1);
            continue;
        }
        if (word.empty() || !isDigit(word.front())) {
            return false;
        }
        while (!word.empty() && isDigit(word.front())) {
            word.remove_prefix(1);
        }
    }
    return word.empty();
}

bool isAnyOf(std::string_view word) noexcept {
    return std::ranges::any_of(kKeywords, [word](std::string_view pattern) { return isLike(word, pattern); });
}

std::string_view keywordOf(std::string_view card) noexcept {
    const std::string_view word = card.substr(0, kKeyword);
    return word.substr(0, word.find(' '));
}

/// The numbers in a keyword: {1, 2} of "CD1_2A".
std::vector<int> numbersIn(std::string_view keyword) {
    std::vector<int> numbers;
    bool isInside = false;
    for (const char letter : keyword) {
        if (isDigit(letter)) {
            if (!isInside) {
                numbers.push_back(0);
            }
            constexpr int kMost = 10000;
            numbers.back() = std::min(numbers.back() * 10 + (letter - '0'), kMost);
        }
        isInside = isDigit(letter);
    }
    return numbers;
}

std::string_view valueOf(std::string_view card) noexcept {
    const std::string_view value = card.size() > kValue ? card.substr(kValue) : std::string_view();
    return value.substr(0, value.find('/'));
}

/// The number of a card; FITS allows D in place of E.
std::optional<double> numberOf(std::string_view card) {
    std::string value(valueOf(card));
    std::ranges::replace(value, 'D', 'E');
    return leadingNumber(value);
}

std::string numberText(double number) {
    std::string text = exactNumber(number);
    std::ranges::replace(text, 'e', 'E');
    return text.find_first_of(".E") == std::string::npos ? text + ".0" : text;
}

/// A card with another number; the comment stays as far as there is room.
std::string cardWith(std::string_view keyword, double number, std::string_view comment = {}) {
    std::string card(keyword);
    card.resize(kKeyword, ' ');
    const std::string text = numberText(number);
    card += "= ";
    card.append(text.size() < kNumberEnd - kValue ? kNumberEnd - kValue - text.size() : 0, ' ');
    card += text;
    card += comment;
    card.resize(kCard, ' ');
    return card;
}

/// The linear change of the pixel coordinates of FITS: coordinate in the image = offset + step * coordinate in the
/// image.
struct PixelChange {
    std::array<double, 3> step{};
    std::array<double, 3> offset{};

    /// 1 for axes that no pixels have.
    [[nodiscard]] double stepOf(int axis) const noexcept {
        return axis >= 1 && axis <= 3 ? step[static_cast<std::size_t>(axis) - 1] : 1;
    }
    [[nodiscard]] double inImage(int axis, double at) const noexcept {
        return axis >= 1 && axis <= 3 ? (at - offset[static_cast<std::size_t>(axis) - 1]) / stepOf(axis) : at;
    }
    [[nodiscard]] bool isNone() const noexcept {
        return step == std::array<double, 3>{1, 1, 1} && offset == std::array<double, 3>{};
    }
};

/// Factor of a coefficient of the polynomials of SIP, in pixels from the reference.
double polynomialFactor(std::string_view keyword, const std::vector<int>& powers, const PixelChange& change) {
    const double result = change.stepOf(keyword.front() == 'A' ? 1 : 2);
    return std::pow(change.stepOf(1), powers[0]) * std::pow(change.stepOf(2), powers[1]) / result;
}

/// The number of a card for the image.
double changed(std::string_view keyword, double number, const PixelChange& change) {
    const std::vector<int> of = numbersIn(keyword);
    if (keyword.starts_with("CRPIX") && of.size() == 1) {
        return change.inImage(of[0], number);
    }
    if (keyword.starts_with("CDELT") && of.size() == 1) {
        return number * change.stepOf(of[0]);
    }
    if (of.size() != 2) {
        return keyword.ends_with("_DMAX") ? number / change.stepOf(keyword.front() == 'A' ? 1 : 2) : number;
    }
    if (keyword.starts_with("CD")) {
        return number * change.stepOf(of[1]);
    }
    if (keyword.starts_with("PC")) { // the steps themselves are in CDELT
        return number * change.stepOf(of[1]) / change.stepOf(of[0]);
    }
    const bool isPolynomial = keyword.front() == 'A' || keyword.front() == 'B';
    return isPolynomial ? number * polynomialFactor(keyword, of, change) : number;
}

bool isChangeable(std::string_view keyword) noexcept {
    constexpr std::array<std::string_view, 10> kPixels{"CRPIX#", "CDELT#", "CD#_#",  "PC#_#",  "A_#_#",
                                                       "B_#_#",  "AP_#_#", "BP_#_#", "A_DMAX", "B_DMAX"};
    const auto is = [&](std::string_view word) {
        return std::ranges::any_of(kPixels, [word](std::string_view pattern) { return isLike(word, pattern); });
    };
    return is(keyword) || (keyword.size() > 1 && is(keyword.substr(0, keyword.size() - 1)));
}

/// Adds numbers that the header leaves out and that the image needs: a reference pixel of 0 and a step of 1.
void addDefaults(const std::vector<std::string>& cards, const PixelChange& change, std::vector<std::string>& added) {
    const auto has = [&](std::string_view keyword) {
        return std::ranges::any_of(cards, [&](const std::string& card) { return keywordOf(card) == keyword; });
    };
    const bool hasMatrix =
        std::ranges::any_of(cards, [](const std::string& card) { return isLike(keywordOf(card), "CD#_#"); });
    for (int axis = 1; axis <= 3; ++axis) {
        const std::string number = std::to_string(axis);
        if (!has("CTYPE" + number)) {
            continue;
        }
        if (!has("CRPIX" + number)) {
            added.push_back(cardWith("CRPIX" + number, change.inImage(axis, 0)));
        }
        if (!has("CDELT" + number) && !hasMatrix) {
            added.push_back(cardWith("CDELT" + number, change.stepOf(axis)));
        }
    }
}

} // namespace

bool isSkyKeyword(std::string_view keyword) noexcept {
    const bool hasLetter = !keyword.empty() && keyword.back() >= 'A' && keyword.back() <= 'Z';
    return isAnyOf(keyword) || (hasLetter && isAnyOf(keyword.substr(0, keyword.size() - 1)));
}

std::string SkyHeader::text(std::string_view keyword) const {
    const auto card = std::ranges::find_if(cards, [&](const std::string& each) { return keywordOf(each) == keyword; });
    if (card == cards.end()) {
        return {};
    }
    std::string_view value = std::string_view(*card).substr(std::min(kValue, card->size()));
    const std::size_t quote = value.find('\'');
    if (quote == std::string_view::npos) {
        return factText(valueOf(*card));
    }
    value.remove_prefix(quote + 1);
    return factText(value.substr(0, value.find('\'')));
}

std::array<double, 3> SkyHeader::imagePixel(double x, double y, double z) const noexcept {
    return {first[0] + (x + 0.5) * step[0] + 0.5, height + 0.5 - first[1] - (y + 0.5) * step[1],
            first[2] + (z + 0.5) * step[2] + 0.5};
}

std::vector<std::string> SkyHeader::cardsFor(std::uint32_t rows) const {
    // Row y of the image has the coordinate rows - y.
    const PixelChange change{step,
                             {first[0] + 0.5 - 0.5 * step[0], height + 0.5 - first[1] - (rows + 0.5) * step[1],
                              first[2] + 0.5 - 0.5 * step[2]}};
    if (change.isNone()) {
        return cards;
    }
    std::vector<std::string> result;
    result.reserve(cards.size());
    for (const std::string& card : cards) {
        const std::string_view keyword = keywordOf(card);
        const std::optional<double> number = isChangeable(keyword) ? numberOf(card) : std::nullopt;
        if (!number) {
            result.push_back(card);
            continue;
        }
        const double now = changed(keyword, *number, change);
        const std::size_t slash = card.find('/', kValue);
        result.push_back(
            now == *number
                ? card
                : cardWith(keyword, now, slash == std::string::npos ? std::string() : ' ' + card.substr(slash)));
    }
    addDefaults(cards, change, result);
    return result;
}

void moveFirst(std::optional<SkyHeader>& sky, double x, double y, double z) noexcept {
    if (sky) {
        sky->first[0] += x * sky->step[0];
        sky->first[1] += y * sky->step[1];
        sky->first[2] += z * sky->step[2];
    }
}

void shrinkPixels(std::optional<SkyHeader>& sky, double x, double y, double z) noexcept {
    if (sky) {
        sky->step[0] *= x;
        sky->step[1] *= y;
        sky->step[2] *= z;
    }
}

} // namespace pollard
