#pragma once

#include <QComboBox>
#include <QSlider>
#include <QString>
#include <QToolButton>
#include <QWidget>

class QHBoxLayout;

namespace pollard::app {

/// Playback controls for numbered states, with a slider as timeline. The owner gives the states a meaning and sets the
/// current state after a signal.
class TransportBar : public QWidget {
    Q_OBJECT

public:
    /// Name and tooltip of a control.
    struct Text {
        QString name;
        QString toolTip;
    };
    struct Texts {
        Text toStart;
        Text back;
        Text play;
        Text pause;
        Text forward;
        Text toEnd;
        Text timeline;
        Text speed;
    };
    struct State {
        int shown = 0;
        int last = 0;
        bool canPlay = false;
        bool canGoOn = false;
        bool playing = false;
        double speed = 0;
    };

    /// @param prefix of the object names of the controls: "contour" gives contourPlay, contourTimeline ...
    TransportBar(const QString& prefix, Texts texts, QWidget* parent = nullptr);

    void addSpeed(const QString& title, double speed);
    /// Emits no signals.
    void setState(const State& state);

    /// Space plays or pauses, Left and Right step, Home and End go to the ends. @return whether the key is one of these
    bool press(int key);
    [[nodiscard]] static bool isKey(int key);

signals:
    void toStartWanted();
    void backWanted();
    void playToggled();
    void forwardWanted();
    void toEndWanted();
    void scrubbed(int state);
    void speedChosen(double speed);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QToolButton* addButton(QHBoxLayout& row, const QString& name, const QString& icon, const Text& text);

    QString prefix_;
    Texts texts_;
    QToolButton* toStart_ = nullptr;
    QToolButton* back_ = nullptr;
    QToolButton* play_ = nullptr;
    QToolButton* forward_ = nullptr;
    QToolButton* toEnd_ = nullptr;
    QSlider* timeline_;
    QComboBox* speed_;
};

} // namespace pollard::app
