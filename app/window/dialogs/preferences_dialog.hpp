#pragma once

#include <QDialog>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QSpinBox;

namespace pollard {
class EngineRegistry;
}

namespace pollard::app {

struct Models;

/// Language, theme, engine, limits for files and memory. Changes apply immediately unless the control states otherwise.
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
    void showSettings();
    void showLimits();

    Models& models_;
    QComboBox* language_ = nullptr;
    QComboBox* theme_ = nullptr;
    QComboBox* colourMap_ = nullptr;
    QCheckBox* reducedMotion_ = nullptr;
    QCheckBox* sceneUnits_ = nullptr;
    QCheckBox* rulersInPixels_ = nullptr;
    QComboBox* engine_ = nullptr;
    QSpinBox* threads_ = nullptr;
    QCheckBox* ask_ = nullptr;
    QSpinBox* cache_ = nullptr;
    QComboBox* work_ = nullptr;
    QDoubleSpinBox* megapixels_ = nullptr;
    QDoubleSpinBox* decoded_ = nullptr;
    QDoubleSpinBox* expansion_ = nullptr;
};

} // namespace pollard::app
