#include "vm/document/raw_view_model.hpp"

#include "formats/images/raw_reader.hpp"
#include "vm/base/change.hpp"

#include <QFileInfo>
#include <QLocale>
#include <QSettings>

#include <algorithm>

namespace pollard::vm {

namespace {

/// Larger pages are not read for a preview.
constexpr std::uint64_t kMostPreviewPixels = 64'000'000;
constexpr qsizetype kFields = 7;

QString keyFor(const QString& path) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    return QStringLiteral("raw/%1").arg(suffix.isEmpty() ? QStringLiteral("none") : suffix);
}

QString storedForm(const RawLayout& layout) {
    return QStringLiteral("%1 %2 %3 %4 %5 %6 %7")
        .arg(layout.width)
        .arg(layout.height)
        .arg(static_cast<int>(layout.type))
        .arg(layout.bigEndian ? 1 : 0)
        .arg(layout.samples)
        .arg(layout.offset)
        .arg(layout.pages);
}

std::optional<RawLayout> fromStored(const QString& text) {
    const QStringList parts = text.split(QLatin1Char(' '));
    if (parts.size() != kFields) {
        return std::nullopt;
    }
    RawLayout layout;
    layout.width = parts[0].toUInt();
    layout.height = parts[1].toUInt();
    layout.type = static_cast<RawLayout::SampleType>(
        std::clamp(parts[2].toInt(), 0, static_cast<int>(RawLayout::SampleType::f64)));
    layout.bigEndian = parts[3].toInt() != 0;
    layout.samples = std::max(1, parts[4].toInt());
    layout.offset = parts[5].toULongLong();
    layout.pages = std::max(1, parts[6].toInt());
    return layout.width > 0 && layout.height > 0 ? std::optional(layout) : std::nullopt;
}

} // namespace

RawViewModel::RawViewModel(const QString& path, QSettings& settings, QObject* parent)
    : QObject(parent), path_(path), settings_(settings),
      fileBytes_(static_cast<std::uint64_t>(std::max<qint64>(QFileInfo(path).size(), 0))),
      guesses_(guessRawLayouts(fileBytes_)) {
    layout_.width = layout_.height = 1;
    layout_.type = RawLayout::SampleType::u8;
    if (!guesses_.empty()) {
        layout_ = guesses_.front();
    }
    const auto last = fromStored(settings_.value(keyFor(path)).toString());
    if (last && rawBytes(*last) <= fileBytes_) {
        layout_ = *last;
    }
    makePreview();
}

QStringList RawViewModel::guessTexts() const {
    QStringList texts;
    for (const RawLayout& layout : guesses_) {
        texts << QString::fromStdString(describe(layout));
    }
    return texts;
}

int RawViewModel::guess() const {
    const auto found = std::find(guesses_.begin(), guesses_.end(), layout_);
    return found == guesses_.end() ? -1 : static_cast<int>(found - guesses_.begin());
}

bool RawViewModel::isPossible() const {
    return layout_.width > 0 && layout_.height > 0 && layout_.samples > 0 && layout_.pages > 0 &&
           rawBytes(layout_) <= fileBytes_;
}

QString RawViewModel::checkText() const {
    const QLocale locale;
    const QString need = locale.toString(static_cast<qulonglong>(rawBytes(layout_)));
    const QString there = locale.toString(static_cast<qulonglong>(fileBytes_));
    if (rawBytes(layout_) == fileBytes_) {
        return tr("Fits exactly: %1 bytes").arg(need);
    }
    return isPossible() ? tr("Needs %1 bytes, the file has %2").arg(need, there)
                        : tr("Needs %1 bytes, but the file has only %2").arg(need, there);
}

void RawViewModel::setLayout(const RawLayout& layout) {
    change(this, layout_, layout, &RawViewModel::layoutChanged, &RawViewModel::makePreview);
}

void RawViewModel::setGuess(int index) {
    if (index >= 0 && static_cast<std::size_t>(index) < guesses_.size()) {
        setLayout(guesses_[static_cast<std::size_t>(index)]);
    }
}

void RawViewModel::remember() { settings_.setValue(keyFor(path_), storedForm(layout_)); }

void RawViewModel::makePreview() {
    worker_.cancel(Lane::load);
    const std::uint64_t pixels = std::uint64_t{layout_.width} * layout_.height;
    if (!isPossible() || pixels > kMostPreviewPixels) {
        worker_.forget(Lane::load);
        preview_.reset();
        previewProblem_ = isPossible() ? tr("Too large for a preview") : tr("The file is too short");
        emit previewChanged();
        return;
    }
    ReadOptions options;
    options.raw = layout_;
    const std::uint32_t side = std::max(layout_.width, layout_.height);
    options.shrink = static_cast<int>((side + kPreviewSide - 1) / kPreviewSide);
    auto job = [path = QFileInfo(path_).filesystemFilePath(), options](const std::stop_token& stop) {
        Preview made;
        made.image = readImage(path, options, JobControl(stop)).image;
        made.window = autoWindow(countLevels(*made.image, JobControl(stop)));
        return made;
    };
    auto done = [this](const JobOutcome& outcome, const Preview& made) {
        if (outcome.kind == JobOutcome::Kind::cancelled) {
            return;
        }
        preview_ = made.image;
        previewWindow_ = made.window;
        previewProblem_ = QString::fromStdString(outcome.message);
        emit previewChanged();
    };
    worker_.post(Lane::load, std::move(job), std::move(done));
}

} // namespace pollard::vm
