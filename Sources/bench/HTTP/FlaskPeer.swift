// The peer of `bench http`: a small web service as many people would write it, with Flask, waitress and SQLite.

enum FlaskPeer {
    static let program = "/usr/bin/python3"

    /// The service: a status that is read from the database, and a change that is durable before the response.
    static let script = """
        import json, sqlite3, sys, threading
        from flask import Flask, Response, request
        from waitress import serve

        app, local = Flask(__name__), threading.local()

        def database():
            if not hasattr(local, "connection"):
                local.connection = sqlite3.connect(sys.argv[1])
                local.connection.execute("pragma journal_mode=wal")
                local.connection.execute("pragma synchronous=full")
            return local.connection

        setup = sqlite3.connect(sys.argv[1])
        setup.execute("create table alarms (id text primary key, label text, body text)")
        body = {"weekly": {}, "ring": {"sound": "chimes01", "volume": 0.8}, "filler": "x" * 600}
        setup.execute("insert into alarms values ('a', 'A', ?)", [json.dumps(body)])
        setup.commit()
        tokens = {"Bearer secret"}

        @app.before_request
        def credential():
            if request.headers.get("Authorization") not in tokens:
                return Response(status=401)

        @app.get("/api/1/status")
        def status():
            rows = database().execute("select id, label, body from alarms").fetchall()
            return {"alarms": [{"id": a, "label": b, **json.loads(c)} for a, b, c in rows]}

        @app.patch("/api/1/alarms/<name>")
        def edit(name):
            connection = database()
            connection.execute("update alarms set label = ? where id = ?", [request.json["label"], name])
            connection.commit()
            return {"id": name}

        serve(app, host="127.0.0.1", port=int(sys.argv[2]), threads=4, _quiet=True)
        """
}
