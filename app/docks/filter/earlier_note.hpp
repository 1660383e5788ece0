#pragma once

#include <QLabel>
#include <QToolButton>
#include <QWidget>

namespace pollard::vm {
class EarlierFilters;
}

namespace pollard::app {

/// States that the filter works on the result of earlier filters, with a button to go back; hidden without earlier
/// filters.
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
