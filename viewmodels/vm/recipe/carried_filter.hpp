#pragma once

#include "vm/base/change.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/picture/open_request.hpp"
#include "vm/recipe/window_recipe.hpp"

#include "recipe/filter_stages.hpp"

#include <QObject>
#include <QString>

namespace pollard::vm {

/// Notices a filter that was made for another picture and removes something from this one. The notice stands until the
/// filter is kept, cleared or changed. A kept filter is also kept for later pictures, until it is changed.
class CarriedFilter : public QObject {
    Q_OBJECT

public:
    explicit CarriedFilter(const FilterModels& models, QObject* parent = nullptr);

    [[nodiscard]] bool isNoticed() const noexcept { return !text_.isEmpty(); }
    /// "Filter of a.tif still applied: 1 of 130,543 components kept"; empty without a notice.
    [[nodiscard]] QString text() const { return text_; }

public slots:
    /// Keeps the filter for this picture and later ones.
    void keep();
    /// The filter that is set, or about to be set, is made for this file.
    void expect(const QString& path);

signals:
    void changed();

private:
    /// A filter without the selection of the edited criterion.
    struct Content {
        FilterViewModel::State filter;
        FilterStages earlier;

        bool operator==(const Content&) const = default;
    };
    [[nodiscard]] Content present() const;
    [[nodiscard]] QString presentText() const;
    void onDocument();
    void onEdit();
    void refresh() { change(this, text_, presentText(), &CarriedFilter::changed); }

    FilterModels models_;
    OpenRequest shown_; ///< the picture of content_
    Content content_;   ///< the last one compared
    QString origin_;    ///< path of the filter's file; empty: the first file that is opened
    bool kept_ = false;
    QString text_;
};

} // namespace pollard::vm
