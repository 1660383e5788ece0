#include "vm/lab/lab_examples.hpp"

#include <QCoreApplication>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <random>
#include <vector>

namespace pollard::vm {
namespace {

using teach::LabPicture;

LabPicture rows(std::initializer_list<std::string_view> digits) {
    LabPicture picture;
    picture.height = static_cast<std::uint32_t>(digits.size());
    for (const std::string_view row : digits) {
        picture.width = static_cast<std::uint32_t>(row.size());
        for (const char digit : row) {
            picture.levels.push_back(static_cast<std::uint16_t>(digit - '0'));
        }
    }
    return picture;
}

LabPicture drawn(std::uint32_t width, std::uint32_t height, const std::function<std::uint32_t()>& level) {
    LabPicture picture{width, height, {}};
    for (std::size_t p = 0; p < picture.pixelCount(); ++p) {
        picture.levels.push_back(static_cast<std::uint16_t>(level()));
    }
    return picture;
}

std::vector<LabExample> makeExamples() {
    std::mt19937 random(1);
    return {
        {"peaks", QT_TRANSLATE_NOOP("LabExample", "Two peaks"),
         rows({"111111", "137151", "133551", "112241", "111111"})},
        {"hill", QT_TRANSLATE_NOOP("LabExample", "A hill in steps"),
         rows({"1111111", "1222221", "1233321", "1234321", "1233321", "1222221", "1111111"})},
        {"saddles", QT_TRANSLATE_NOOP("LabExample", "Peaks and saddles"),
         rows({"00000000", "09400780", "08630750", "00520300", "00410200", "06540100", "07600090", "00000000"})},
        {"diagonal", QT_TRANSLATE_NOOP("LabExample", "Joined by corners only"),
         rows({"500000", "050000", "005000", "000500", "000050", "000005"})},
        {"spiral", QT_TRANSLATE_NOOP("LabExample", "A spiral"),
         rows({"99999999", "10000009", "18888809", "18000809", "18070809", "18077709", "18000009", "18999999"})},
        {"stairs", QT_TRANSLATE_NOOP("LabExample", "A ramp: every pixel a node"),
         drawn(6, 4, [level = 0U]() mutable { return level++; })},
        {"checkerboard", QT_TRANSLATE_NOOP("LabExample", "A checkerboard"),
         rows({"191919", "919191", "191919", "919191", "191919", "919191"})},
        {"plain", QT_TRANSLATE_NOOP("LabExample", "One level only"), drawn(6, 6, [] { return 5U; })},
        {"noise", QT_TRANSLATE_NOOP("LabExample", "Noise of ten levels"), drawn(12, 12, [&] { return random() % 10; })},
        {"deep", QT_TRANSLATE_NOOP("LabExample", "Noise of 65,536 levels"),
         drawn(16, 16, [&] { return random() % 65536; })},
    };
}

} // namespace

std::span<const LabExample> labExamples() {
    static const std::vector<LabExample> all = makeExamples();
    return all;
}

const LabExample* findLabExample(std::string_view id) {
    const auto all = labExamples();
    const auto found = std::ranges::find(all, id, &LabExample::id);
    return found != all.end() ? &*found : nullptr;
}

QString exampleTitle(const LabExample& example) { return QCoreApplication::translate("LabExample", example.name); }

} // namespace pollard::vm
