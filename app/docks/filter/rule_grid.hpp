#pragma once

#include <QListWidget>
#include <QRectF>
#include <QWidget>

namespace pollard::vm {
class DisplayViewModel;
class FilterViewModel;
class RulesViewModel;
} // namespace pollard::vm

namespace pollard::app {

class ElidedLabel;

/// The Rules panel: the part of the image in the view under each rule, side by side, in the colours of the canvas. A
/// click or Return chooses a rule.
class RuleGrid : public QWidget {
    Q_OBJECT

public:
    /// @param rules,filter,display must outlive this
    RuleGrid(vm::RulesViewModel& rules, vm::FilterViewModel& filter, vm::DisplayViewModel& display,
             QWidget* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    /// The part of the image in the view.
    [[nodiscard]] QRectF part() const;
    /// Divides the panel into the columns with the largest images, wide enough for the titles.
    void arrange();
    void requestResults();
    void showResults();
    void showTexts();
    void showCurrent();

    vm::RulesViewModel& rules_;
    vm::FilterViewModel& filter_;
    vm::DisplayViewModel& display_;
    QListWidget* images_;
    ElidedLabel* message_;
};

} // namespace pollard::app
