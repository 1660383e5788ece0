#pragma once

#include "vm/region/stain_picks.hpp"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QWidget>

#include <array>

class QGridLayout;

namespace pollard::vm {
class DocumentViewModel;
}

namespace pollard::app {

class ElidedLabel;
class FactList;
struct Models;

/// The stains picked on the image, with their colours, names and vectors. Hidden unless they are being picked.
class StainControls : public QWidget {
    Q_OBJECT

public:
    /// @param stains must outlive this
    explicit StainControls(vm::StainPicks& stains, QWidget* parent = nullptr);

private:
    using Part = vm::StainPicks::Part;
    struct Row {
        QRadioButton* choice = nullptr;
        QLabel* colour = nullptr;
        QLineEdit* name = nullptr; ///< null for the background
        QLabel* vector = nullptr;
    };
    [[nodiscard]] Row makeRow(Part part);
    void show(const Row& row, Part part) const;
    void showStains();

    vm::StainPicks& stains_;
    std::array<Row, vm::StainPicks::kParts.size()> rows_;
    QLabel* problem_ = nullptr;
    QPushButton* separate_ = nullptr;
};

/// Facts about the open file and its tree; controls for channel, resolution level and range of values if there is a
/// choice.
class ImagePanel : public QWidget {
    Q_OBJECT

public:
    /// @param models must outlive this
    explicit ImagePanel(Models& models, QWidget* parent = nullptr);

private:
    /// A row of caption and value, hidden while the value is empty.
    struct Row {
        QWidget* caption = nullptr;
        QWidget* value = nullptr;
        void setVisible(bool visible) const;
    };
    void addChoices();
    void connectChoices();
    QLabel* addFact(const QString& caption, Row& row);
    void addRow(const QString& caption, QWidget* value, Row& row);
    void showImage();
    void showChoices();
    void showTree();

    Models& models_;
    vm::DocumentViewModel& document_;
    QGridLayout* grid_ = nullptr;
    ElidedLabel* name_ = nullptr;
    Row sizeRow_, formatRow_, depthRow_, levelsRow_, channelRow_, levelRow_, shrinkRow_, partRow_, nodesRow_,
        leavesRow_, depthOfTreeRow_, timeRow_;
    QLabel* size_ = nullptr;
    QLabel* format_ = nullptr;
    QLabel* depth_ = nullptr;
    QLabel* levels_ = nullptr;
    QLabel* nodes_ = nullptr;
    QLabel* leaves_ = nullptr;
    QLabel* depthOfTree_ = nullptr;
    QLabel* time_ = nullptr;
    QComboBox* channel_ = nullptr;
    QComboBox* level_ = nullptr;
    QComboBox* shrink_ = nullptr;
    QPushButton* whole_ = nullptr;
    FactList* facts_ = nullptr;
    QLabel* notes_ = nullptr;
};

} // namespace pollard::app
