#pragma once

#include <QComboBox>
#include <QLabel>
#include <QSpinBox>
#include <QWidget>

class QGridLayout;

namespace pollard::vm {
class DocumentViewModel;
}

namespace pollard::app {

class ElidedLabel;

/// Facts about the open file and its tree; page and channel where there is a choice.
class ImagePanel : public QWidget {
    Q_OBJECT

public:
    /// @param document must outlive this
    explicit ImagePanel(vm::DocumentViewModel& document, QWidget* parent = nullptr);

private:
    /// A row of caption and value that is hidden while there is nothing to say.
    struct Row {
        QWidget* caption = nullptr;
        QWidget* value = nullptr;
        void setVisible(bool visible) const;
    };
    QLabel* addFact(const QString& caption, Row& row);
    void addRow(const QString& caption, QWidget* value, Row& row);
    void showImage();
    void showChoices();
    void showTree();

    vm::DocumentViewModel& document_;
    QGridLayout* grid_ = nullptr;
    ElidedLabel* name_ = nullptr;
    QLabel* hint_ = nullptr;
    Row sizeRow_, formatRow_, depthRow_, levelsRow_, pageRow_, channelRow_, nodesRow_, leavesRow_, depthOfTreeRow_,
        timeRow_;
    QLabel* size_ = nullptr;
    QLabel* format_ = nullptr;
    QLabel* depth_ = nullptr;
    QLabel* levels_ = nullptr;
    QLabel* nodes_ = nullptr;
    QLabel* leaves_ = nullptr;
    QLabel* depthOfTree_ = nullptr;
    QLabel* time_ = nullptr;
    QSpinBox* page_ = nullptr;
    QComboBox* channel_ = nullptr;
    QLabel* notes_ = nullptr;
};

} // namespace pollard::app
