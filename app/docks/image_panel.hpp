#pragma once

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QWidget>

class QGridLayout;

namespace pollard::vm {
class DocumentViewModel;
}

namespace pollard::app {

class ElidedLabel;
class FactList;
struct Models;

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
