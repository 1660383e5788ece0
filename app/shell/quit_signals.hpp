#pragma once

#include <QObject>

namespace pollard::app {

/// SIGTERM, SIGINT and SIGHUP as Qt signals. The first one is emitted as raised(); the same one a second time ends the
/// program immediately, as do all without an object of this class. A signal that is ignored at the start (nohup) stays
/// ignored. At most one object at a time; no effect on Windows.
class QuitSignals : public QObject {
    Q_OBJECT

public:
    explicit QuitSignals(QObject* parent = nullptr);
    ~QuitSignals() override;

signals:
    void raised(int number);

private:
    void read();

    int reader_ = -1; ///< read end of a pipe
};

} // namespace pollard::app
