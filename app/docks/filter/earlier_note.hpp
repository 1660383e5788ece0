#pragma once

#include <QLabel>
#include <QToolButton>
#include <QWidget>

namespace pollard::vm {
class EarlierFilters;
}

namespace pollard::app {

/// Says that the filter works on the result of earlier ones, with a way back; hidden where it does not.
class EarlierNote : public QWidget {
    Q_OBJECT

public:
    /// @param earlier must outlive this
    explicit EarlierNote(vm::EarlierFilters& earlier, QWidget* parent = nullptr);

private:
    void showState();

    vm::EarlierFilters& earlier_;
    QLabel* note_;
    QToolButton* back_;
};

} // namespace pollard::app
