#pragma once

#include "vm/session/window_recipe.hpp"

#include <QObject>
#include <QString>

namespace pollard::vm {

/// Filters one after another: the result becomes the picture that the next filter works on, and back again. The
/// picture as it was read stays the one to compare with.
class EarlierFilters : public QObject {
    Q_OBJECT

public:
    explicit EarlierFilters(const FilterModels& models, QObject* parent = nullptr);

    /// Those that are on.
    [[nodiscard]] int count() const;
    /// There is one to go back to, on or off.
    [[nodiscard]] bool canGoBack() const;
    /// There is a filter at hand that does something, and what it gives is a picture.
    [[nodiscard]] bool canContinue() const;
    /// A filter, or an earlier one, does something to the picture.
    [[nodiscard]] bool canClear() const;
    /// What the filter at hand works on, "Works on the result of 2 filters"; empty for the picture as it was read.
    [[nodiscard]] QString note() const;
    /// What they are, a line each.
    [[nodiscard]] QString details() const;

public slots:
    /// The filter at hand becomes an earlier one, and one that demands nothing follows it.
    void continueFromResult();
    /// The last earlier filter becomes the one at hand again, in place of that.
    void goBack();
    /// No filter is left, neither the current one nor an earlier one: the result is the picture as it was read. Region
    /// and tree stay.
    void clearAll();

signals:
    void changed();
    /// It was not done. @param why one line for a person
    void failed(const QString& why);

private:
    FilterModels models_;
};

} // namespace pollard::vm
