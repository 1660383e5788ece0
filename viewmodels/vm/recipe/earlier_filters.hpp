#pragma once

#include "vm/recipe/window_recipe.hpp"

#include <QObject>
#include <QString>

namespace pollard::vm {

/// Filters one after another: the result becomes the input of the next filter, and back again. The comparison image
/// remains the image as read.
class EarlierFilters : public QObject {
    Q_OBJECT

public:
    explicit EarlierFilters(const FilterModels& models, QObject* parent = nullptr);

    /// Number of earlier filters that are on.
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

} // namespace pollard::vm
