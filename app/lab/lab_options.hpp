#pragma once

#include "player/player.hpp"

#include <QList>
#include <QPushButton>
#include <QSpinBox>
#include <QWidget>

class QComboBox;
class QDoubleSpinBox;
class QGridLayout;

namespace pollard::vm {
class LabPlayerViewModel;
class LabViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// Examples, size and brush of the lab's image.
class LabImageControls : public QWidget {
    Q_OBJECT

public:
    /// @param lab must outlive this
    explicit LabImageControls(vm::LabViewModel& lab, QWidget* parent = nullptr);

    /// Sets whether there is an open image to crop.
    void setCropPossible(bool possible) { crop_->setEnabled(possible); }

signals:
    void cropWanted();

private:
    QSpinBox* makeSide(const char* name, const QString& title, const QString& tip);
    void showState();

    vm::LabViewModel& lab_;
    QComboBox* example_;
    QSpinBox* width_;
    QSpinBox* height_;
    QSpinBox* brush_;
    QPushButton* crop_;
    QPushButton* undo_;
};

/// The choice of the algorithm and its options; options that do not apply are hidden.
class LabOptions : public QWidget {
    Q_OBJECT

public:
    /// @param player must outlive this
    explicit LabOptions(vm::LabPlayerViewModel& player, QWidget* parent = nullptr);

private:
    void makePlayer();
    QComboBox* makeAlgorithms(const char* name);
    void makeTree();
    void makeThreads();
    void makeFilter();
    QComboBox* makeChoice(const char* name, const QString& title, const QString& tip);
    QSpinBox* makeNumber(const char* name, const QString& title, const QString& tip, int least, int most);
    void add(const QString& title, QWidget* control);
    void showState();
    void showTurns();
    /// Changes the options.
    template <class Change> void choose(const Change& change);
    template <class Control, class Value> void coupleOption(Control* control, Value teach::PlayerSpec::*member);

    vm::LabPlayerViewModel& player_;
    QGridLayout* rows_;
    QComboBox* algorithm_ = nullptr;
    QComboBox* beside_ = nullptr;
    QComboBox* kind_ = nullptr;
    QComboBox* connectivity_ = nullptr;
    QComboBox* tile_ = nullptr;
    QSpinBox* threads_ = nullptr;
    QComboBox* turns_ = nullptr;
    QSpinBox* seed_ = nullptr;
    QWidget* hand_ = nullptr;
    QList<QPushButton*> turnButtons_;
    QPushButton* turnBack_ = nullptr;
    QComboBox* attribute_ = nullptr;
    QDoubleSpinBox* minimum_ = nullptr;
    QSpinBox* threshold_ = nullptr;
};

} // namespace pollard::app
