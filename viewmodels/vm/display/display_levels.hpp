#pragma once

#include "vm/base/async_result.hpp"
#include "vm/image/level_histogram.hpp"

#include "image/value_mapping.hpp"

#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>
#include <optional>

namespace pollard::vm {

struct DocumentContents;
class DocumentViewModel;

/// Counts the levels for automatic windows of results, on another thread: levels of the image after the earlier
/// filters, which stay constant while the filter is dragged, or levels of the result itself.
class ResultLevels : public QObject {
    Q_OBJECT

public:
    /// Time in ms without another result before a result is counted.
    static constexpr int kDelay = 150;

    /// @param document must outlive this
    explicit ResultLevels(DocumentViewModel& document, QObject* parent = nullptr);

    /// Whether the result itself is counted.
    void setOfResult(bool result);
    /// The counted levels. Null without a document, and without earlier filters unless the result is counted.
    [[nodiscard]] std::shared_ptr<const LevelHistogram> histogram() const noexcept { return counted_.value(); }

signals:
    void changed();

private:
    void onTree();
    void onResult();
    void count();

    DocumentViewModel& document_;
    bool ofResult_ = false;
    QTimer rest_;
    AsyncResult<LevelHistogram> counted_;
};

/// The displayed levels of a document's image, the values of the file they stand for, and the pixels at the ends of a
/// range. DisplayViewModel has the units.
class DisplayLevels {
public:
    /// @param shown must outlive this
    explicit DisplayLevels(const DocumentContents& shown) : shown_(shown) {}

    [[nodiscard]] int maxLevel() const noexcept { return range_.most; }
    [[nodiscard]] int dataMinimum() const noexcept { return range_.dataMinimum; }
    [[nodiscard]] int dataMaximum() const noexcept { return range_.dataMaximum; }
    [[nodiscard]] bool hasValues() const noexcept { return range_.mapping.has_value(); }
    /// The displayed level of a level of the image; null if they are the same.
    [[nodiscard]] const EvenLevels& evenLevels() const noexcept { return even_; }
    [[nodiscard]] QString unit() const; ///< of the values; empty: none
    [[nodiscard]] double valueOf(double level) const noexcept;
    [[nodiscard]] double levelOf(double value) const noexcept;
    [[nodiscard]] double valueStep() const noexcept { return range_.mapping ? range_.mapping->step : 1; }
    [[nodiscard]] std::optional<Saturation> clipped(LevelWindow window) const;
    [[nodiscard]] QString clippedText(LevelWindow window) const;
    [[nodiscard]] std::optional<Saturation> saturation() const;
    [[nodiscard]] QString saturationText() const;

    /// Follows another image. @returns whether range or values differ
    bool update();

private:
    struct Range {
        int most = 255;
        int dataMinimum = 0;
        int dataMaximum = 255;
        std::optional<ValueMapping> mapping;
        bool operator==(const Range&) const = default;
    };

    const DocumentContents& shown_;
    Range range_;
    EvenLevels even_;
};

} // namespace pollard::vm
