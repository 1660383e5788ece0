#pragma once

#include <QDialog>

namespace pollard {
class EngineRegistry;
}

namespace pollard::app {

struct Models;

/// Sets language, theme, engine, limits for files and memory. Changes apply immediately unless the control states
/// otherwise.
class PreferencesDialog : public QDialog {
    Q_OBJECT

public:
    /// @param models,registry must outlive this
    PreferencesDialog(Models& models, const EngineRegistry& registry, QWidget* parent = nullptr);

private:
    [[nodiscard]] QWidget* makeLooks();
    [[nodiscard]] QWidget* makeComputing(const EngineRegistry& registry);
    [[nodiscard]] QWidget* makeFiles();
    void restoreDefaults();

    Models& models_;
};

} // namespace pollard::app
