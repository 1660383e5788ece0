#include "window/tool_bar.hpp"

#include "shell/canvas_actions.hpp"
#include "widgets/couple.hpp"
#include "widgets/panel_parts.hpp"
#include "window/actions.hpp"

namespace pollard::app {

MainToolBar::MainToolBar(Actions& actions, Models& models, const EngineRegistry& registry, QWidget* parent)
    : QToolBar(tr("Tools"), parent), models_(models), registry_(registry) {
    setObjectName(QStringLiteral("toolBar"));
    setMovable(false);
    setIconSize(QSize(20, 20));
    setContextMenuPolicy(Qt::PreventContextMenu);
    const auto withText = [this](QAction* action, const QString& text) {
        auto* button = qobject_cast<QToolButton*>(widgetForAction(action));
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setText(text);
        action->setIconText(text);
    };
    addAction(actions.open);
    withText(actions.open, tr("Open"));
    addAction(actions.save);
    withText(actions.save, tr("Save"));
    addSeparator();
    addAction(actions.maxTree);
    withText(actions.maxTree, tr("Max"));
    addAction(actions.minTree);
    withText(actions.minTree, tr("Min"));
    addSeparator();
    addAction(actions.four);
    addAction(actions.eight);
    addAction(actions.six);
    addAction(actions.eighteen);
    addAction(actions.twentySix);
    addSeparator();
    addAction(actions.split);
    addAction(actions.blink);
    addAction(actions.difference);
    addAction(actions.showOriginal);
    addAction(actions.fit);
    addAction(actions.actualSize);
    addAction(actions.zoomOut);
    addAction(actions.zoomIn);
    addSeparator();
    addActions(actions.canvas->tools->actions());
    addAction(actions.canvas->pickComponent);
    addSeparator();
    addAction(actions.live);
    withText(actions.live, tr("Live"));
    addAction(actions.apply);
    withText(actions.apply, tr("Apply"));
    for (QAction* action : this->actions()) {
        if (QWidget* button = widgetForAction(action)) {
            button->setAccessibleName(action->text().remove(QLatin1Char('&')));
            button->setFocusPolicy(Qt::TabFocus);
        }
    }
    addEngineBadge();
}

void MainToolBar::addEngineBadge() {
    auto* spacer = new QWidget(this);
    spacer->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    addWidget(spacer);
    badge_ = new QToolButton(this);
    badge_->setObjectName(QStringLiteral("engineBadge"));
    badge_->setPopupMode(QToolButton::InstantPopup);
    badge_->setToolButtonStyle(Qt::ToolButtonTextOnly);
    badge_->setFocusPolicy(Qt::TabFocus);
    engines_ = new QMenu(badge_);
    badge_->setMenu(engines_);
    addWidget(badge_);
    connect(engines_, &QMenu::aboutToShow, this, &MainToolBar::fillEngineMenu);
    fillEngineMenu();
    follow(this, &MainToolBar::showEngine, models_.document.choices(), &vm::DocumentChoices::engineChanged);
}

void MainToolBar::showEngine() {
    const QString wanted = models_.document.choices().requestedEngine();
    const QString name = models_.document.choices().engineName();
    if (name.isEmpty()) {
        badge_->setText(wanted == QLatin1String("auto") ? tr("Engine: automatic") : wanted.toUpper());
    } else {
        badge_->setText(name.toUpper());
    }
    const QString device = models_.document.choices().engineDevice();
    explain(badge_, tr("Engine"),
            device.isEmpty() ? tr("Engine of all computations") : tr("Engine at work: %1 (%2)").arg(name, device));
}

void MainToolBar::fillEngineMenu() {
    engines_->clear();
    const auto add = [this](const QString& name, const QString& title, const QString& reason) {
        QAction* action = engines_->addAction(reason.isEmpty() ? title : QStringLiteral("%1 – %2").arg(title, reason));
        action->setCheckable(true);
        action->setChecked(models_.document.choices().requestedEngine() == name);
        action->setEnabled(reason.isEmpty());
        connect(action, &QAction::triggered, this, [this, name] {
            models_.settings.setEngine(name);
            models_.document.choices().setEngine(name);
        });
    };
    add(QStringLiteral("auto"), tr("Automatic"), {});
    for (const Engine* engine : registry_.engines()) {
        const QString name = QString::fromStdString(engine->name());
        const QString reason = QString::fromStdString(engine->unusableReason());
        add(name,
            reason.isEmpty() ? QStringLiteral("%1 (%2)").arg(name.toUpper(), QString::fromStdString(engine->device()))
                             : name.toUpper(),
            reason);
    }
}

} // namespace pollard::app
