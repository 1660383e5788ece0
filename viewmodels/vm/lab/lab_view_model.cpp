#include "vm/lab/lab_view_model.hpp"

#include "base/error.hpp"
#include "filter/filter_units.hpp"
#include "image/image.hpp"

#include <QCoreApplication>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <limits>
#include <random>
#include <utility>
#include <vector>

namespace pollard::vm {
namespace {

using teach::LabImage;

LabImage rows(std::initializer_list<std::string_view> digits) {
    LabImage image;
    image.height = static_cast<std::uint32_t>(digits.size());
    for (const std::string_view row : digits) {
        image.width = static_cast<std::uint32_t>(row.size());
        for (const char digit : row) {
            image.levels.push_back(static_cast<std::uint16_t>(digit - '0'));
        }
    }
    return image;
}

LabImage drawn(std::uint32_t width, std::uint32_t height, const std::function<std::uint32_t()>& level) {
    LabImage image{width, height, {}};
    for (std::size_t p = 0; p < image.pixelCount(); ++p) {
        image.levels.push_back(static_cast<std::uint16_t>(level()));
    }
    return image;
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

constexpr int kMostThreads = 8;
constexpr std::array kKinds{"max", "min"};
constexpr std::array kTurns{"in-order", "random"};
constexpr int kLargestLevel = 65535;

[[noreturn]] void refuse(const QString& why) {
    throw Error(ErrorCode::invalidArgument, "cannot read scenes: " + why.toStdString());
}

/// Reads the fields of one scene; fields left at the end are errors.
class Fields {
public:
    Fields(QJsonObject object, QString where) : object_(std::move(object)), where_(std::move(where)) {}

    [[nodiscard]] bool has(const char* name) const { return object_.contains(QLatin1String(name)); }
    [[nodiscard]] QJsonValue take(const char* name) { return object_.take(QLatin1String(name)); }

    [[nodiscard]] QString text(const char* name, const QString& fallback = {}) {
        const QJsonValue value = take(name);
        if (!value.isUndefined() && !value.isString()) {
            refuse(name, QStringLiteral("is no text"));
        }
        return value.toString(fallback);
    }
    [[nodiscard]] int number(const char* name, int fallback, int least, int most) {
        const QJsonValue value = take(name);
        if (value.isUndefined()) {
            return fallback;
        }
        const double number = value.toDouble(std::nan(""));
        if (!(number >= least && number <= most) || number != std::floor(number)) {
            refuse(name, QStringLiteral("is no whole number from %1 to %2").arg(least).arg(most));
        }
        return static_cast<int>(number);
    }
    [[nodiscard]] bool flag(const char* name) {
        const QJsonValue value = take(name);
        if (!value.isUndefined() && !value.isBool()) {
            refuse(name, QStringLiteral("is neither true nor false"));
        }
        return value.toBool();
    }
    /// Reads one of several words. @return its index
    template <std::size_t Count>
    [[nodiscard]] std::size_t word(const char* name, const std::array<const char*, Count>& words) {
        const QString value = text(name, QLatin1String(words[0]));
        const auto found = std::ranges::find_if(words, [&](const char* word) { return value == QLatin1String(word); });
        if (found == words.end()) {
            refuse(name, QStringLiteral("is \"%1\"").arg(value));
        }
        return static_cast<std::size_t>(found - words.begin());
    }
    void checkAllTaken() const {
        if (!object_.isEmpty()) {
            refuse(object_.keys().constFirst().toUtf8().constData(), QStringLiteral("is not known"));
        }
    }
    [[noreturn]] void refuse(const char* name, const QString& why) const {
        vm::refuse(QStringLiteral("%1: \"%2\" %3").arg(where_, QString::fromUtf8(name), why));
    }
    [[nodiscard]] const QString& where() const noexcept { return where_; }

private:
    QJsonObject object_;
    QString where_;
};

teach::LabImage drawnImage(const QJsonObject& object, const QString& where) {
    Fields fields(object, where + QStringLiteral(": picture"));
    const int side = static_cast<int>(teach::kLabSide);
    teach::LabImage image;
    image.width = static_cast<std::uint32_t>(fields.number("width", 0, 1, side));
    image.height = static_cast<std::uint32_t>(fields.number("height", 0, 1, side));
    const QJsonArray levels = fields.take("levels").toArray();
    fields.checkAllTaken();
    if (image.pixelCount() == 0 || static_cast<std::size_t>(levels.size()) != image.pixelCount()) {
        fields.refuse("levels", QStringLiteral("are %1, not width times height").arg(levels.size()));
    }
    for (const auto& value : levels) {
        const double level = value.toDouble(-1);
        if (!(level >= 0 && level <= kLargestLevel) || level != std::floor(level)) {
            fields.refuse("levels", QStringLiteral("are whole numbers from 0 to %1").arg(kLargestLevel));
        }
        image.levels.push_back(static_cast<std::uint16_t>(level));
    }
    return image;
}

teach::LabImage imageOf(Fields& fields) {
    const QJsonValue value = fields.take("picture");
    if (value.isObject()) {
        return drawnImage(value.toObject(), fields.where());
    }
    const LabExample* example = findLabExample(value.toString().toStdString());
    if (example == nullptr) {
        fields.refuse("picture", QStringLiteral("is neither the name of an example nor a drawn one"));
    }
    return example->image;
}

/// @param field with the id of an algorithm
int playerOf(Fields& fields, const char* field) {
    const QString id = fields.text(field);
    const auto players = teach::players();
    const auto found = std::ranges::find(players, id.toStdString(), &teach::PlayerInfo::id);
    if (found == players.end()) {
        fields.refuse(field, QStringLiteral("is \"%1\", which is no algorithm of the lab").arg(id));
    }
    return static_cast<int>(found - players.begin());
}

Criterion criterionOf(Fields& fields) {
    try {
        const Criterion stated = parseCriterion(fields.text("criterion", QStringLiteral("area>=4")).toStdString());
        Criterion criterion = inPixels(stated, ImageUnits{}); // images of the lab have no size, and levels only
        criterion.grey.clear();
        return criterion;
    } catch (const Error& error) {
        fields.refuse("criterion", QString::fromUtf8(error.what()));
    }
}

teach::PlayerSpec specOf(Fields& fields) {
    teach::PlayerSpec spec;
    spec.kind = fields.word("tree", kKinds) == 0 ? TreeKind::max : TreeKind::min;
    const int neighbours = fields.number("connectivity", 4, 4, 8);
    if (neighbours != 4 && neighbours != 8) {
        fields.refuse("connectivity", QStringLiteral("is neither 4 nor 8"));
    }
    spec.connectivity = neighbours == 4 ? Connectivity::four : Connectivity::eight;
    const int tile = fields.number("tile_side", 4, 2, 8);
    if (tile != 2 && tile != 4 && tile != 8) {
        fields.refuse("tile_side", QStringLiteral("is none of 2, 4 and 8"));
    }
    spec.tileSide = static_cast<std::uint32_t>(tile);
    spec.threads = static_cast<std::uint32_t>(fields.number("threads", 4, 2, kMostThreads));
    spec.turns = fields.word("turns", kTurns) == 0 ? teach::Turns::inOrder : teach::Turns::random;
    spec.seed = static_cast<std::uint32_t>(fields.number("seed", 1, 0, std::numeric_limits<int>::max()));
    spec.filter.criteria = {criterionOf(fields)};
    spec.threshold = static_cast<std::uint16_t>(fields.number("threshold", 128, 0, kLargestLevel));
    return spec;
}

PreparedScene sceneOf(const QJsonValue& value, qsizetype number) {
    const QString where = QStringLiteral("scene %1").arg(number + 1);
    if (!value.isObject()) {
        refuse(where + QStringLiteral(" is no object"));
    }
    Fields fields(value.toObject(), where);
    PreparedScene scene;
    const QString title = fields.text("title");
    if (title.isEmpty()) {
        fields.refuse("title", QStringLiteral("is missing"));
    }
    scene.title = QCoreApplication::translate("Scene", title.toUtf8().constData());
    scene.image = imageOf(fields);
    scene.player = playerOf(fields, "player");
    scene.beside = fields.has("beside") ? playerOf(fields, "beside") : -1;
    scene.spec = specOf(fields);
    scene.step = fields.number("step", 0, 0, std::numeric_limits<int>::max());
    scene.guessing = fields.flag("guess");
    fields.checkAllTaken();
    return scene;
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

std::vector<PreparedScene> readScenes(const QByteArray& json) {
    if (json.size() > kLargestSceneFile) {
        refuse(QStringLiteral("the file has more than %1 bytes").arg(kLargestSceneFile));
    }
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(json, &error);
    if (document.isNull()) {
        refuse(QStringLiteral("%1 at byte %2").arg(error.errorString()).arg(error.offset));
    }
    const QJsonValue listed = document.object().value(QLatin1String("scenes"));
    if (!listed.isArray()) {
        refuse(QStringLiteral("there is no list \"scenes\""));
    }
    const QJsonArray list = listed.toArray();
    if (list.isEmpty() || list.size() > kMostScenes) {
        refuse(QStringLiteral("there are %1 scenes; 1 to %2 are allowed").arg(list.size()).arg(kMostScenes));
    }
    std::vector<PreparedScene> scenes;
    for (qsizetype i = 0; i < list.size(); ++i) {
        scenes.push_back(sceneOf(list.at(i), i));
    }
    return scenes;
}

QByteArray sceneText(const PreparedScene& scene) {
    QJsonArray levels;
    for (const std::uint16_t level : scene.image.levels) {
        levels.append(level);
    }
    QJsonObject object{
        {QStringLiteral("title"), scene.title},
        {QStringLiteral("player"), QLatin1String(teach::players()[static_cast<std::size_t>(scene.player)].id.data())},
        {QStringLiteral("picture"), QJsonObject{{QStringLiteral("width"), static_cast<int>(scene.image.width)},
                                                {QStringLiteral("height"), static_cast<int>(scene.image.height)},
                                                {QStringLiteral("levels"), levels}}},
        {QStringLiteral("tree"), QLatin1String(kKinds[scene.spec.kind == TreeKind::max ? 0 : 1])},
        {QStringLiteral("connectivity"), static_cast<int>(scene.spec.connectivity)},
        {QStringLiteral("tile_side"), static_cast<int>(scene.spec.tileSide)},
        {QStringLiteral("threads"), static_cast<int>(scene.spec.threads)},
        {QStringLiteral("turns"), QLatin1String(kTurns[scene.spec.turns == teach::Turns::random ? 1 : 0])},
        {QStringLiteral("seed"), static_cast<int>(scene.spec.seed)},
        {QStringLiteral("threshold"), scene.spec.threshold},
        {QStringLiteral("step"), scene.step},
        {QStringLiteral("guess"), scene.guessing},
    };
    if (scene.beside >= 0) {
        object.insert(QStringLiteral("beside"),
                      QLatin1String(teach::players()[static_cast<std::size_t>(scene.beside)].id.data()));
    }
    if (!scene.spec.filter.criteria.empty()) {
        object.insert(QStringLiteral("criterion"),
                      QString::fromStdString(toString(scene.spec.filter.criteria.front())));
    }
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

std::vector<PreparedScene> loadScenes(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        throw Error(ErrorCode::fileUnreadable,
                    "cannot read scenes: " + path.toStdString() + ": " + file.errorString().toStdString());
    }
    return readScenes(file.read(kLargestSceneFile + 1));
}

namespace {

constexpr std::size_t kMostUndone = 200;
constexpr int kSide = static_cast<int>(teach::kLabSide);
constexpr int kTen = 10;

/// Start of a crop of at most kLabSide px around @p centre.
std::uint32_t startOf(int centre, std::uint32_t side, std::uint32_t length) {
    return static_cast<std::uint32_t>(
        std::clamp(centre - static_cast<int>(length) / 2, 0, static_cast<int>(side - length)));
}

} // namespace

LabViewModel::LabViewModel(QObject* parent) : QObject(parent), image_(labExamples().front().image) {}

void LabViewModel::change(teach::LabImage image) {
    if (image == image_) {
        return;
    }
    if (!stroke_) {
        before_.push_back(image_);
        if (before_.size() > kMostUndone) {
            before_.erase(before_.begin());
        }
    }
    image_ = std::move(image);
    clampFocus();
    emit imageChanged();
}

void LabViewModel::clampFocus() {
    const int last = width() * height() - 1;
    cursor_ = std::min(cursor_, last);
    if (hovered_ > last) {
        hovered_ = -1;
    }
}

void LabViewModel::setSize(int width, int height) {
    const auto w = static_cast<std::uint32_t>(std::clamp(width, 1, kSide));
    const auto h = static_cast<std::uint32_t>(std::clamp(height, 1, kSide));
    teach::LabImage next{w, h, {}};
    for (std::uint32_t y = 0; y < h; ++y) {
        for (std::uint32_t x = 0; x < w; ++x) {
            next.levels.push_back(
                image_.levels[image_.pixelAt(std::min(x, image_.width - 1), std::min(y, image_.height - 1))]);
        }
    }
    const int x = cursor_ % this->width();
    const int y = cursor_ / this->width();
    cursor_ = std::min(y, static_cast<int>(h) - 1) * static_cast<int>(w) + std::min(x, static_cast<int>(w) - 1);
    stroke_ = false;
    change(std::move(next));
}

void LabViewModel::setImage(const teach::LabImage& image) {
    stroke_ = false;
    typing_ = false;
    change(image);
}

void LabViewModel::loadExample(int number) {
    const auto examples = labExamples();
    if (number >= 0 && number < static_cast<int>(examples.size())) {
        setImage(examples[static_cast<std::size_t>(number)].image);
    }
}

void LabViewModel::takeCrop(const Image& image, const QPoint& centre) {
    teach::LabImage crop{std::min(image.width(), teach::kLabSide), std::min(image.height(), teach::kLabSide), {}};
    const std::uint32_t left = startOf(centre.x(), image.width(), crop.width);
    const std::uint32_t top = startOf(centre.y(), image.height(), crop.height);
    for (std::uint32_t y = 0; y < crop.height; ++y) {
        for (std::uint32_t x = 0; x < crop.width; ++x) {
            crop.levels.push_back(image.level(std::size_t{top + y} * image.width() + left + x));
        }
    }
    setImage(crop);
}

void LabViewModel::setLevel(int pixel, int level) {
    if (pixel < 0 || pixel >= width() * height()) {
        return;
    }
    teach::LabImage next = image_;
    next.levels[static_cast<std::size_t>(pixel)] = static_cast<std::uint16_t>(std::clamp(level, 0, kLargestLevel));
    change(std::move(next));
}

void LabViewModel::paint(int pixel) {
    const teach::LabImage was = image_;
    setLevel(pixel, brush_);
    stroke_ = stroke_ || image_ != was;
}

void LabViewModel::undo() {
    if (before_.empty()) {
        return;
    }
    stroke_ = false;
    typing_ = false;
    image_ = std::move(before_.back());
    before_.pop_back();
    clampFocus();
    emit imageChanged();
}

void LabViewModel::setCursor(int pixel) {
    typing_ = false;
    vm::change(this, cursor_, std::clamp(pixel, 0, width() * height() - 1), &LabViewModel::focusChanged);
}

void LabViewModel::moveCursor(int across, int down) {
    const int x = std::clamp(cursor_ % width() + across, 0, width() - 1);
    const int y = std::clamp(cursor_ / width() + down, 0, height() - 1);
    setCursor(y * width() + x);
}

void LabViewModel::setHovered(int pixel) {
    vm::change(this, hovered_, pixel < width() * height() ? pixel : -1, &LabViewModel::focusChanged);
}

void LabViewModel::typeDigit(int digit) {
    const int longer = levelAt(cursor_) * kTen + digit;
    const int level = typing_ && longer <= kLargestLevel ? longer : digit;
    setLevel(cursor_, level);
    typing_ = true;
}

void LabViewModel::raise(int by) {
    typing_ = false;
    setLevel(cursor_, levelAt(cursor_) + by);
}

} // namespace pollard::vm
