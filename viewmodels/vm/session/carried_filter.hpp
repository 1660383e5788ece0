#pragma once

#include "vm/filter/filter_view_model.hpp"
#include "vm/picture/open_request.hpp"
#include "vm/session/window_recipe.hpp"

#include "recipe/filter_stages.hpp"

#include <QObject>
#include <QString>

namespace pollard::vm {

/// Notices a filter that was made for another picture and takes something away from this one. The notice stands until
/// the filter is kept, cleared or changed. A filter that is kept is kept for the pictures after this one, too, until it
/// is changed.
class CarriedFilter : public QObject {
    Q_OBJECT

public:
    explicit CarriedFilter(const FilterModels& models, QObject* parent = nullptr);

    [[nodiscard]] bool isNoticed() const noexcept { return !text_.isEmpty(); }
    /// "Filter of a.tif still applied: 1 of 130,543 components kept"; empty without a notice.
    [[nodiscard]] QString text() const { return text_; }

public slots:
    /// Keeps the filter for this picture and those after it.
    void keep();
    /// The filter that is set, or is being set, is meant for this file.
    void expect(const QString& path);

signals:
    void changed();

private:
    /// A filter without the choice of the criterion that is edited.
    struct Content {
        FilterViewModel::State filter;
        FilterStages earlier;

        bool operator==(const Content&) const = default;
    };
    [[nodiscard]] Content present() const;
    [[nodiscard]] QString presentText() const;
    void onDocument();
    void onEdit();
    void refresh();

    FilterModels models_;
    OpenRequest shown_; ///< the picture of content_
    Content content_;   ///< the last that was seen
    QString origin_;    ///< path of the file that the filter is of; empty: of the first that is opened
    bool kept_ = false;
    QString text_;
};

} // namespace pollard::vm
