#pragma once

#include "vm/base/change.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/image/open_request.hpp"
#include "vm/recipe/window_recipe.hpp"

#include "recipe/filter_stages.hpp"

#include <QObject>
#include <QString>

#include <cstdint>
#include <optional>
#include <string>

namespace pollard::vm {

/// Filters one after another: the result becomes the input of the next filter, and back again. The comparison image
/// remains the image as read.
class EarlierFilters : public QObject {
    Q_OBJECT

public:
    explicit EarlierFilters(const FilterModels& models, QObject* parent = nullptr);

    /// An image is open, to which an operator can be applied.
    [[nodiscard]] bool hasImage() const;
    /// Number of earlier filters and operators that are on.
    [[nodiscard]] int count() const;
    /// An earlier filter exists, on or off.
    [[nodiscard]] bool canGoBack() const;
    /// The current filter changes something, and its output is an image.
    [[nodiscard]] bool canContinue() const;
    /// The current filter or an earlier one changes the image.
    [[nodiscard]] bool canClear() const;
    /// Input of the current filter, "Works on the result of 2 filters"; empty for the image as read.
    [[nodiscard]] QString note() const;
    /// The earlier filters, one per line.
    [[nodiscard]] QString details() const;

public slots:
    /// Makes the current filter an earlier one, followed by one without criteria.
    void continueFromResult();
    /// Replaces the current filter by the last earlier one.
    void goBack();
    /// Removes the current filter and all earlier ones: the result is the image as read. Region and tree stay.
    void clearAll();

signals:
    void changed();
    /// Nothing was changed. @param why one line for the user
    void failed(const QString& why);

private:
    FilterModels models_;
};

/// Notices a filter that was made for another image and removes something from this one. The notice stands until the
/// filter is kept, cleared or changed. A kept filter is also kept for later images, until it is changed. For a
/// image of another kind, which is no part of a series, the filter is cleared, and the condition of objects with it;
/// the notice says so.
class StaleFilter : public QObject {
    Q_OBJECT

public:
    /// @param earlier clears filters; null: none is cleared; must outlive this
    explicit StaleFilter(const FilterModels& models, EarlierFilters* earlier = nullptr, QObject* parent = nullptr);

    [[nodiscard]] bool isNoticed() const noexcept { return !text_.isEmpty(); }
    /// "Filter of a.tif still applied: 1 of 130,543 components kept"; empty without a notice.
    [[nodiscard]] QString text() const { return text_; }
    /// The notice is about a filter that was cleared.
    [[nodiscard]] bool isCleared() const noexcept { return !cleared_.isEmpty(); }

public slots:
    /// Keeps the filter for this image and later ones; one that was cleared comes back.
    void keep();
    /// Ends the notice; a filter that is applied is kept.
    void dismiss();
    /// The filter that is set, or about to be set, is made for this file.
    void expect(const QString& path);

signals:
    void changed();
    /// The image is of another kind than the last one. A filter that was made for that is cleared: no work of the
    /// user.
    void clearedForOtherKind();

private:
    /// A filter without the selection of the edited criterion.
    struct Content {
        FilterViewModel::State filter;
        FilterStages earlier;

        bool operator==(const Content&) const = default;
    };
    /// Facts in which the images of a series are equal.
    struct Kind {
        std::uint32_t width = 0; ///< px
        std::uint32_t height = 0;
        int slices = 0; ///< 0: no volume
        int bits = 0;
        std::string samples; ///< unsigned, signed or floating point
        std::string unit;    ///< of values
        std::string length;  ///< unit of the size of a pixel
        bool isCalibrated = false;

        bool operator==(const Kind&) const = default;
    };
    [[nodiscard]] Kind presentKind() const;
    [[nodiscard]] Content present() const;
    [[nodiscard]] QString presentText() const;
    void onDocument();
    void onEdit();
    void refresh() { change(this, text_, presentText(), &StaleFilter::changed); }

    /// Clears filters and conditions that were made for another kind of image.
    void clearIfOther();

    FilterModels models_;
    EarlierFilters* earlier_;
    std::optional<Kind> kind_; ///< of the last image
    QString cleared_;          ///< name of the file of the filter that was cleared
    bool clears_ = false;
    OpenRequest shown_; ///< the image of content_
    Content content_;   ///< the last one compared
    QString origin_;    ///< path of the filter's file; empty: the first file that is opened
    bool kept_ = false;
    QString text_;
};

} // namespace pollard::vm
