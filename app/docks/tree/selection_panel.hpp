#pragma once

#include "plot/chart.hpp"
#include "vm/tree/tree_export.hpp"

#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QToolButton>
#include <QWidget>

class QAreaSeries;
class QCategoryAxis;
class QValueAxis;

namespace pollard::vm {
class ChainViewModel;
class NodeSelection;
class SelectionSummary;
} // namespace pollard::vm

namespace pollard::app {

class AttributeButton;
class FactList;

/// Distribution of an attribute over the selected components, as bars with one outline.
class SelectionChart : public Chart {
    Q_OBJECT

public:
    /// @param summary must outlive this
    explicit SelectionChart(vm::SelectionSummary& summary, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override { return {200, 130}; }

protected:
    void styleSeries(const QPalette& palette) override;

private:
    void showBars();

    vm::SelectionSummary& summary_;
    QAreaSeries* bars_;
    QCategoryAxis* values_; ///< bin edges, labelled with round values
    QValueAxis* counts_;
};

/// The selection dock: the selected components, their statistics, named selections, and actions on them.
class SelectionPanel : public QWidget {
    Q_OBJECT

public:
    /// All must outlive this.
    SelectionPanel(vm::NodeSelection& selection, vm::SelectionSummary& summary, vm::ChainViewModel& chain,
                   QWidget* parent = nullptr);

public slots:
    /// Follows the chain or stops; for a panel that becomes visible or hidden.
    void setFollowing(bool following);

signals:
    /// Requests removing the selected components from the image.
    void removeRequested();
    /// Requests saving the selected components.
    void saveRequested(pollard::vm::NodeFile file);

private:
    [[nodiscard]] QWidget* makeSources();
    [[nodiscard]] QWidget* makeNames();
    void connectModels();
    void showSelection();
    void showSummary();
    void storeNamed();

    vm::NodeSelection& selection_;
    vm::SelectionSummary& summary_;
    vm::ChainViewModel& chain_;
    QLabel* text_;
    QPushButton* add_;
    QPushButton* kept_;
    QPushButton* removed_;
    QToolButton* clear_;
    QToolButton* remove_;
    QToolButton* save_;
    AttributeButton* attribute_;
    FactList* facts_;
    QLineEdit* name_;
    QToolButton* store_;
    QListView* names_;
    QToolButton* recall_;
    QToolButton* forget_;
};

} // namespace pollard::app
