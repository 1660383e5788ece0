#pragma once

#include "shell/models.hpp"

#include <QAction>
#include <QActionGroup>
#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>
#include <QVector>

namespace pollard::app {

/// Texts and icon of an action.
struct ActionText {
    QString objectName;
    QString text;
    QString toolTip; ///< without the shortcut, which is appended
    QString icon;    ///< from resources/icons; may be empty
    QList<QKeySequence> shortcuts;
    bool checkable = false;
};

[[nodiscard]] QAction* makeAction(const ActionText& what, QObject* parent);

/// Actions on the canvas: overlays, regions, and copies of the view. The window connects copyView and exportView.
class CanvasActions : public QObject {
    Q_OBJECT

public:
    /// @param models must outlive this
    explicit CanvasActions(Models& models, QObject* parent = nullptr);

    QActionGroup* overlays; ///< checkable, not exclusive; data is the OverlaysViewModel::Overlay
    QAction* rulersInPixels;

    QActionGroup* tools;    ///< exclusive; data is the RegionViewModel::Tool
    QAction* pickComponent; ///< checkable; the region tool is the hand while this is on
    QAction* removeShape;
    QAction* clearShapes;
    QAction* selectAll;
    QAction* selectNext;
    QAction* invert;
    QAction* loadRegion; ///< connected, like saving, by the window
    QAction* saveRegion;
    QAction* measureScale; ///< sets the size of a pixel by a line over a scale bar
    QAction* crop;
    QAction* uncrop;

    QAction* copyView;
    QAction* exportView;

    /// All actions in menu order.
    [[nodiscard]] const QVector<QAction*>& all() const noexcept { return all_; }

private:
    QAction* make(const ActionText& what);
    void makeOverlays();
    void makeTools();
    void makeRegion();
    void connectModels();
    void showState();

    Models& models_;
    QVector<QAction*> all_;
};

} // namespace pollard::app
