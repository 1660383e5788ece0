#pragma once

#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QWidget>

namespace pollard::vm {
class ChainViewModel;
}

namespace pollard::app {

class AttributeButton;
class ChainChart;
class ElidedLabel;
class EmptyState;

/// The chain dock: the components around the pixel under the pointer as a table and a chart, and actions on the current
/// one.
class ChainPanel : public QWidget {
    Q_OBJECT

public:
    /// @param chain must outlive this
    explicit ChainPanel(vm::ChainViewModel& chain, QWidget* parent = nullptr);

    /// Places table and chart one above the other instead of side by side.
    void setTall(bool tall);

signals:
    /// Requests a contour that starts from the component with this canonical pixel.
    void refineRequested(quint32 canonical);
    /// Requests the chain of the pixel in the middle of the view.
    void middleRequested();

private:
    void makeTable();
    void connectModel();
    void showState();
    void showCurrent();

    vm::ChainViewModel& chain_;
    ElidedLabel* summary_;
    ElidedLabel* verdict_; ///< kept or removed by the filter, and why
    AttributeButton* attribute_;
    QToolButton* keepFromHere_;
    QToolButton* remove_;
    QToolButton* keep_;
    QToolButton* refine_;
    QToolButton* letGo_;
    QTableView* table_;
    ChainChart* chart_;
    QSplitter* parts_;
    QStackedWidget* pages_;
    EmptyState* hint_;
};

} // namespace pollard::app
