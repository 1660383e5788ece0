#pragma once

#include <QObject>

namespace pollard::app {

/// SIGTERM, SIGINT and SIGHUP as signals of the event loop. The first one is raised() there; the same one a second
/// time ends the program at once, as do all of them without an object of this class. A signal that is ignored at the
/// start (nohup) stays ignored. At most one object at a time; does nothing on Windows.
class QuitSignals : public QObject {
    Q_OBJECT

public:
    explicit QuitSignals(QObject* parent = nullptr);
    ~QuitSignals() override;

signals:
    void raised(int number);

private:
    void read();

    int reader_ = -1; ///< end of a pipe
};

} // namespace pollard::app
